import type { Subject } from './subject.ts'

/** The event that a row of the log is. Servers of the previous version read and write it in `kind` alone. */
export const changeEvents: Subject = {
  former: '008-expand-change-events',
  columns: () => ({ changes: [['event', 'text']] }),
}
