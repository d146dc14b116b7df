import { createZipArchive, ZipEntry } from 'node:zlib'

// The API is experimental in the version of Node that package.json pins. Its only warning is emitted here, where nobody reads it.
const { emitWarning } = process
process.emitWarning = () => {}
try {
  ZipEntry.createSync('first', Buffer.alloc(0))
} finally {
  process.emitWarning = emitWarning
}

export { createZipArchive, ZipEntry }
