import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

/** Each of these files runs in a process of its own, because it replaces a module that others import or measures the process. */
const alone = [
  'server/fuzz.test.ts',
  'server/hostile/{credential-races,lockout}.test.ts',
  'server/http/stop.test.ts',
  'server/tasks/list-answers.test.ts',
  'server/users/{account,clock,guessing,unreachable-counts}.test.ts',
]

// Workers, and the servers and commands that tests start, compile only code that has changed since the last run.
process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, 'node_modules/.cache/node')

export default defineConfig({
  test: {
    globalSetup: 'server/testing/global-setup.ts',
    setupFiles: 'server/testing/random-cases.ts',
    // Half as many again as cores: many tests wait for a timer or a process.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    // Only bound a failing test: no result depends on the speed of the machine.
    testTimeout: process.env.TORTURE ? 3_600_000 : 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'units',
          include: ['{contract,web}/**/*.test.ts'],
          // Without a process for each file. A thread would not be enough: some tests set the time zone of the process.
          pool: 'forks',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'server',
          include: ['{server,scripts}/**/*.test.ts'],
          pool: 'forks',
          isolate: false,
          exclude: alone,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: alone,
          pool: 'forks',
        },
      },
    ],
  },
})
