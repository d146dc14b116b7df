import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    maxWorkers: availableParallelism(),
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
          globalSetup: 'server/testing/global-setup.ts',
          // Each file runs in a separate process, because tests start servers and databases and change global state.
          pool: 'forks',
        },
      },
    ],
  },
})
