import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { apiBase } from '#contract/limits.ts'
import { startServer } from '../e2e/server.ts'
import { register } from '../e2e/user.ts'

// Runs schemathesis, which knows Daymark by its OpenAPI document alone, against a server of its own.

const version = '4.32.5'
/** Git ignores it. Schemathesis writes its findings into the working directory. */
const dist = join(import.meta.dirname, '../dist')
const folder = join(dist, 'schemathesis')
const program = join(folder, 'bin/schemathesis')
mkdirSync(dist, { recursive: true })

const env = { ...process.env, SCHEMATHESIS_HOOKS: join(import.meta.dirname, 'contract_checks.py') }

const runs = (command: string, args: string[], stdio: 'ignore' | 'inherit' = 'ignore') =>
  spawnSync(command, args, { stdio, cwd: dist, env }).status === 0

const isInstalled =
  runs(program, ['--version']) ||
  (runs('python3', ['-m', 'venv', folder]) &&
    runs(join(folder, 'bin/pip'), ['install', '--quiet', `schemathesis==${version}`]))
if (!isInstalled) {
  console.log(
    'The contract was not fuzzed: schemathesis is not installed and could not be (Python and PyPI).',
  )
  process.exit()
}

/** They end the session, or the response does not end. */
const excluded = '/user/(logout|deleteAccount|changePassword)|/changes/stream'
/** Instead of this check, `contract_checks.py` has one that knows the codes of what no schema describes, such as a cursor that was not issued. */
const replaced = 'positive_data_acceptance'

const server = await startServer()
const { token } = await register(server.address)
const passed = runs(
  program,
  [
    ...['run', `${server.address}${apiBase}/openapi.json`, '--header', `Authorization: Bearer ${token}`],
    ...[
      '--exclude-path-regex',
      excluded,
      '--exclude-checks',
      replaced,
      '--max-examples',
      process.argv[2] ?? '200',
    ],
  ],
  'inherit',
)
await server.stop()
process.exitCode = passed ? 0 : 1
