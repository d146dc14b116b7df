import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')

test.each(globSync('{*.md,{bench,docs}/**/*.md}', { cwd: root }))(
  'every relative link in %s leads to a file',
  (document) => {
    const text = readFileSync(join(root, document), 'utf8')
    const links = [...text.matchAll(/\]\((?!https?:|#)(?<path>[^)#\s]+)/g)].map(
      ({ groups }) => groups?.path ?? '',
    )
    expect(links.filter((link) => !existsSync(join(root, dirname(document), link)))).toEqual([])
  },
)
