"""The store as a user meets it: through `MemoRepair`, on the real server, one promise at a time."""
