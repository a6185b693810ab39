import { describe, expect, it } from 'vitest'
import { findContradictions } from './find-contradictions.ts'
import { readClaims } from './read-claims.ts'
import { threadCpuMs } from '../../../test/support/thread-cpu-ms.ts'

/** Pages by path. @returns The values that contradict each other. */
function find(pages: Record<string, string>): [string, string][] {
  const claims = Object.entries(pages).flatMap(([path, markdown]) =>
    readClaims(markdown).map((claim) => ({
      ...claim,
      page: { path, file: `${path.slice(1)}.md`, title: path, version: null, language: null },
    })),
  )
  return findContradictions(claims).map(({ a, b }) => [a.value.written, b.value.written])
}

const reference = `| Option | Description | Default |
| --- | --- | --- |
| \`cacheDir\` | Where files go. | \`.cache\` |
| \`retryCount\` | How often. | \`3\` |
| \`server.timeout\` | How long. | \`30s\` |`

const against = (statement: string) =>
  find({ '/reference/options': reference, '/guides/start': `# Start\n\n${statement}` })

describe('other values are found', () => {
  it.each([
    ['If you leave out `retryCount`, `5` is used.', '5'],
    ['Unless told otherwise, the server runs with `retryCount` at `5`.', '5'],
    ['By default the server uses `/tmp` for `cacheDir`.', '/tmp'],
    ['Without `cacheDir`, `/tmp` is assumed.', '/tmp'],
    ['- **`server.timeout`** (string, optional, default: `1 min`)', '1 min'],
    ['### `retryCount`\n\n- Type: `number`\n- Default: `5`', '5'],
    ['#### cacheDir\n\nWhere things are kept. Defaults to `tmp`.', 'tmp'],
    ['| Setting | Notes |\n| --- | --- |\n| `retryCount` | Attempts. Defaults to `5`. |', '5'],
    ['The `server.timeout` setting has a default of 10 seconds.', '10 seconds'],
    ['`retry_count` falls back to `5` when it is missing.', '5'],
    ['`server.timeout` is `10s` until you change it.', '10s'],
    ['Files go to `/tmp` by default; change it with `cacheDir`.', '/tmp'],
    ['Calls are aborted after 10 seconds by default (`server.timeout`).', '10 seconds'],
    ['Work is tried 5 times by default, and you can raise it with `retryCount`.', '5 times'],
    ['- `server.timeout` – defaults to one minute.', 'one minute'],
    ['Calls are aborted after 10 seconds by default. Use `server.timeout` to change this.', '10 seconds'],
    ['Set `server.timeout` for slow networks. It defaults to 10 seconds.', '10 seconds'],
    ['To try again, set `retryCount` to `9`; it is `5` by default.', '5'],
    ['Since `retryCount` is `5` by default, calls take long.', '5'],
    ['Pass `retryCount` to change the number of attempts from its default of 5.', '5'],
    ['With the default `retryCount` of 5, nobody notices.', '5'],
    ['`retryCount` specifies how often to try (defaults to 5).', '5'],
    ['`retryCount`: number of attempts. Default: 5', '5'],
    ['### `retryCount`\n\nType: `number`\\\nDefault: `5`', '5'],
  ])('%s', (statement, value) => {
    expect(against(statement).map((values) => values[1])).toEqual([value])
  })
})

describe('nothing is reported', () => {
  it.each([
    'The timeout, `server.timeout`, defaults to `30000 ms`.',
    'By default, `cacheDir` is `./.cache/`.',
    'On Windows, `cacheDir` defaults to `temp`.',
    '`retryCount` defaults to `10` in development.',
    'If you use Docker, `retryCount` is `10` by default.',
    'When `CI` is not set, `retryCount` is `10` by default.',
    'The default of `server.timeout` is `30e3`.',
    '`retryCount` defaults to `0.3e1`.',
    'The Python client uses `retryCount=10` by default.',
    'Files go to `.cache` by default; change it with `cacheDir`.',
    'Files go to `/tmp` by default on Windows; change it with `cacheDir`.',
    'In the Docker image `retryCount` is `10` by default.',
    'Since version 2, `retryCount` is `10` by default.',
    'With the default `retryCount` of 10 in development, nobody notices.',
    'Calls are aborted after 10 seconds by default. Use `otherOption` to change this.',
    'Before v2.0, `retryCount` defaulted to `10`.',
    'In the next major release `retryCount` will default to `10`.',
    'We recommend setting `retryCount` to `10`, not the default.',
    'Set `retryCount` to `10` to change the default.',
    '`retryCount` does not default to `10`.',
    'The `retryCountMax` option defaults to `10`.',
    '```yaml\nretryCount: 10 # default\n```',
    '## Migrating from v1\n\n`retryCount` defaults to `10`.',
    'By default, `cacheDir` is read by the process that sends requests to `/tmp`.',
  ])('%s', (statement) => {
    expect(against(statement)).toEqual([])
  })

  it('of one name in the references of two components', () => {
    const table = (size: string) => reference.replace('`3`', `\`${size}\``)

    expect(find({ '/providers/one': table('1'), '/providers/two': table('2') })).toEqual([])
  })

  it('of two versions of a site, or of pages about the past', () => {
    expect(find({ '/v1/options': reference, '/options': reference.replace('30s', '60s') })).toEqual([])
    expect(find({ '/blog/two': reference, '/options': reference.replace('30s', '60s') })).toEqual([])
  })
})

it('reads hostile pages in linear time', () => {
  const pieces = ['`', '[', '(default: ', 'if not ', '| ', '"', '**', 'default is ', '⟦0⟧ ', 'unless set, ', '- `a` ']
  const start = threadCpuMs()

  for (const piece of pieces) readClaims(piece.repeat(100_000 / piece.length))
  readClaims('- `a`: default `b`\n'.repeat(5_000))

  expect(threadCpuMs() - start).toBeLessThan(5_000)
})
