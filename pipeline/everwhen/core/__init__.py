"""The ground of all packages: configuration, errors, builds, storage, session, locks, hashing and record counts."""
