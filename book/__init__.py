"""What makes the pages and what is handed out: extensions, editions, courses, exams, releases."""
