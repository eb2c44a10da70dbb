import { createServer } from 'node:http'

/** The minimum that Node can do: `node bench/reference.ts PORT BYTES` responds to every request with that many bytes. */
const [port, size] = process.argv.slice(2).map(Number)
const body = Buffer.alloc(size ?? 0, 'x')
const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Length': body.length }

createServer((_request, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(port, '127.0.0.1')
