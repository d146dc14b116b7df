import { readFile } from 'node:fs/promises'

/** Resident memory of a process, in MB. */
export async function memory(pid: number): Promise<number> {
  const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** The processor time that a process has used, with all its threads, in milliseconds. */
export async function processorTime(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  const [user, system] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14).map(Number)
  // Linux counts in hundredths of a second.
  return ((user as number) + (system as number)) * 10
}
