// Advance an event to `repairing` in the transaction that does the first part of the repair.
//
// A crash in between leaves a status that says what was done, so a repair is resumed from it.

SET event.status = 'repairing'
WITH event
