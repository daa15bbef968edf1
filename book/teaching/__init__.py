"""What is made of the chapters for teaching: editions, and a course for nbgrader."""
