/** What one import reads at most. An account has 100,000 tasks and 10,000 notes. */
export const importLimits = {
  /** The bytes of all files after decompression. */
  bytes: 536_870_912,
  /** The bytes of one file after decompression: texts of this size fit into a string of every browser. */
  fileBytes: 134_217_728,
  files: 50_000,
  rows: 200_000,
  columns: 500,
  /** Levels of JSON, and of components. */
  depth: 100,
}
