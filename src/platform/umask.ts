/**
 * Imported first by every program that writes data: only its user may access the files that it creates, including those
 * that SQLite creates. Windows has no umask and ignores it.
 */
process.umask(0o077)
