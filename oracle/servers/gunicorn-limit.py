graceful_timeout = 2
