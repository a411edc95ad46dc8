"""The fixtures that every test may ask for: the session's server, its driver, a space of the test's own."""

pytest_plugins = ("tests.harness.server",)
