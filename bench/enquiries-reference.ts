import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { newId } from '../src/database/id.ts'
import { openDatabase } from '../src/database/open.ts'

/**
 * The minimum that a server can do for an enquiry: read it, and write the rows that Landfall writes, in one transaction
 * that is on disk before the response. Nothing is validated, limited, logged or sent. `--database URL` for PostgreSQL, else
 * `--folder` for SQLite, where all requests of one round of the event loop share a commit.
 */
const { values: options } = parseArgs({
  options: {
    port: { type: 'string' },
    folder: { type: 'string', default: '' },
    database: { type: 'string' },
  },
})

interface Row {
  readonly table: string
  readonly columns: Record<string, string | number | null>
}

interface Waiting {
  readonly rows: readonly Row[]
  readonly response: ServerResponse
  readonly reference: string
}

/** As long as the stored email about the same enquiry. */
const EMAIL = 'x'.repeat(2600)

const migrated = await openDatabase({ dataDir: options.folder, databaseUrl: options.database ?? null })
await migrated.destroy()
const store = options.database
  ? openPostgres(options.database)
  : openSqlite(join(options.folder, 'landfall.sqlite'))

createServer((request, response) => {
  if (request.method === 'GET') return response.end('ready')
  const chunks: Buffer[] = []
  request.on('data', chunk => chunks.push(chunk))
  request.on('end', () => {
    const reference = newId(new Date())
    const body = JSON.parse(Buffer.concat(chunks).toString())
    store({ rows: rowsOf(body, reference, String(request.headers['idempotency-key'])), response, reference })
  })
}).listen(Number(options.port), '127.0.0.1')

function rowsOf(body: Record<string, string>, reference: string, key: string): Row[] {
  const id = newId(new Date())
  const now = new Date().toISOString()
  const { name = '', email = '', phone = '', message = '' } = body
  return [
    {
      table: 'idempotency_keys',
      columns: { key, request_hash: 'x'.repeat(64), reply: 'x'.repeat(100), expires_at: now },
    },
    {
      table: 'messages',
      columns: {
        id,
        reference,
        form_type: 'contact',
        name,
        email,
        phone,
        service: null,
        message,
        is_read: 0,
        verification: 'off',
        created_at: now,
      },
    },
    {
      table: 'outbox',
      columns: {
        id: newId(new Date()),
        message_id: id,
        email: EMAIL,
        // It is not sent here.
        state: 'sent',
        attempts: 0,
        due_at: now,
        leased_until: null,
        last_error: null,
        created_at: now,
        sent_at: null,
      },
    },
    {
      table: 'logs',
      columns: {
        id: newId(new Date()),
        level: 'info',
        source: 'FormService',
        message: 'Enquiry received',
        details: 'x'.repeat(200),
        ip_address: '203.0.113.9',
        user_id: null,
        user_agent: 'x'.repeat(110),
        created_at: now,
      },
    },
  ]
}

function openSqlite(file: string) {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full; pragma foreign_keys = on')
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  let waiting: Waiting[] = []

  function insert({ table, columns }: Row) {
    const statement = statements.get(table) ?? database.prepare(insertSql(table, columns, () => '?'))
    statements.set(table, statement)
    statement.run(...Object.values(columns))
  }

  function commit() {
    const batch = waiting
    waiting = []
    database.exec('begin immediate')
    for (const { rows } of batch) for (const row of rows) insert(row)
    database.exec('commit')
    for (const one of batch) respond(one)
  }

  return (one: Waiting) => {
    if (waiting.push(one) === 1) setImmediate(commit)
  }
}

function openPostgres(connectionString: string) {
  const pool = new pg.Pool({ connectionString, max: 10 })
  return async (one: Waiting) => {
    const client = await pool.connect()
    await client.query('begin')
    for (const { table, columns } of one.rows) {
      const text = insertSql(table, columns, number => `$${number}`)
      await client.query({ name: table, text, values: Object.values(columns) })
    }
    await client.query('commit')
    client.release()
    respond(one)
  }
}

function insertSql(table: string, columns: Row['columns'], place: (number: number) => string) {
  const names = Object.keys(columns)
  return `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => place(index + 1)).join(', ')})`
}

function respond({ response, reference }: Waiting) {
  const body = JSON.stringify({ success: true, message: 'Thank you', reference })
  response.writeHead(201, { 'Content-Type': 'application/json', 'Content-Length': body.length })
  response.end(body)
}
