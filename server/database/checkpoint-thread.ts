import { DatabaseSync } from 'node:sqlite'
import { type MessagePort, parentPort, workerData } from 'node:worker_threads'

// The thread that sqlite-checkpoints.ts starts. Its errors reach that file as an event of the thread.

const main = parentPort as MessagePort
const file = new DatabaseSync(workerData)
file.exec('pragma synchronous = full')
// Opens the WAL file too, before the first message.
file.exec('select 1 from sqlite_schema')
const checkpoint = file.prepare('pragma wal_checkpoint(passive)')
main.postMessage('opened')

main.on('message', () => {
  checkpoint.get()
  // Copies what was written during the first, so that little is left for the writer.
  checkpoint.get()
  main.postMessage('copied')
})
