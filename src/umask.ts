/**
 * Imported first by everything that writes data: whatever this process creates belongs to its user alone, also where a
 * file is made by SQLite. Windows has no such mask and ignores it.
 */
process.umask(0o077)
