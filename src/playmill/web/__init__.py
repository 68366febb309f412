"""The web app: pages for people, served to this machine alone. Its page is built from `web/` at the top of the repository."""
