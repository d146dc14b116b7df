import { createServer } from 'node:http'

/** The baseline: a bare `node:http` server that parses request bodies as JSON and always sends the same response. */
const answer = process.env.ANSWER ?? '{}'

const server = createServer((request, response) => {
  const send = () => {
    response.setHeader('content-type', 'application/json; charset=utf-8')
    response.setHeader('content-length', Buffer.byteLength(answer))
    response.end(answer)
  }
  if (request.method === 'GET') return send()
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (text) => {
    body += text
  })
  request.on('end', () => {
    if (body) JSON.parse(body)
    send()
  })
})
server.listen(0, '127.0.0.1', () =>
  console.log(`http://127.0.0.1:${(server.address() as { port: number }).port}`),
)
process.once('SIGTERM', () => process.exit())
