import fc from 'fast-check'

/** Text that has broken programs before: separators, options, paths, markup, numbers, characters that nobody sees. */
const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\u202e\u200b\ufeff',
  'e\u0301\u0327'.repeat(50),
  '👩‍👩‍👧‍👦'.repeat(20),
  '\r\nX-Injected: 1\r\n\r\n',
  '\u2028\u2029\u0085',
  '../../../../etc/passwd',
  '..%2f..%2fetc%2fpasswd',
  '/proc/self/environ',
  '/etc',
  '~/.ssh/id_ed25519',
  'C:\\Windows\\win.ini',
  '.git/config',
  '--upload-pack=touch /tmp/never',
  '-x',
  'ext::sh -c id',
  'file:///etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:127.0.0.1]/',
  'https://user:secret@127.0.0.1:1/x',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' OR 1=1 --",
  '%00%ff%c0%af',
  '%',
  '{{7*7}}${7*7}<%= 7*7 %>',
  '__proto__',
  'constructor',
  'toString',
  'NaN',
  '-1',
  '1e309',
  '9007199254740993',
  '0x10',
  'null',
  '*',
  '(a+)+$',
  '[[[[[[[[',
  'x'.repeat(300),
  'x'.repeat(40_000),
  'ß'.repeat(33_000),
]

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
)

const deepList: unknown = JSON.parse('['.repeat(2_000) + ']'.repeat(2_000))
const deepObject: unknown = JSON.parse('{"a":'.repeat(2_000) + '1' + '}'.repeat(2_000))

/** Values of every wrong type. Parsed where an object literal would set the prototype instead of a key. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: hostileText },
  {
    weight: 4,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      0.5,
      1e308,
      Number.MAX_SAFE_INTEGER + 2,
      [],
      {},
      [null],
      [[[]]],
      JSON.parse('{"__proto__":{"isAdmin":true}}'),
      JSON.parse('{"constructor":{"prototype":{"isAdmin":true}}}'),
      JSON.parse('{"toString":1,"hasOwnProperty":null,"length":-1}'),
      Array.from({ length: 3_000 }, () => 'x'),
      Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`key${index}`, index])),
      deepList,
      deepObject,
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
)

type Path = readonly (string | number)[]

/** Every place in a value, itself first. */
function listPaths(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null || at.length > 8) return [at]
  const inner = Object.entries(value).flatMap(([key, part]) =>
    listPaths(part, [...at, Array.isArray(value) ? Number(key) : key]),
  )
  return [at, ...inner]
}

export interface Mutation {
  kind: 'replace' | 'remove' | 'add' | 'rename'
  /** Chosen among all places of the value, whatever their number. */
  place: number
  value: unknown
  key: string
}

export const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'add', 'rename'),
  place: fc.nat(10_000),
  value: hostileValue,
  key: fc.oneof(fc.constantFrom('__proto__', 'constructor', 'then', 'toJSON', ''), hostileText),
})

/** A copy of the value with one place changed. */
export function mutate(value: unknown, { kind, place, value: put, key }: Mutation): unknown {
  const paths = listPaths(value)
  return change(value, paths[place % paths.length] ?? [], { kind, put, key })
}

interface Change {
  kind: Mutation['kind']
  put: unknown
  key: string
}

function change(value: unknown, path: Path, what: Change): unknown {
  const [head, ...rest] = path
  if (head === undefined) return what.kind === 'add' ? addTo(value, what) : what.put
  if (Array.isArray(value)) {
    const isHere = rest.length === 0 && what.kind === 'remove'
    return value.flatMap((part: unknown, index) => (index !== head ? [part] : isHere ? [] : [change(part, rest, what)]))
  }
  const entries = Object.entries(value as object).flatMap<[string, unknown]>(([key, part]) => {
    if (key !== head) return [[key, part]]
    if (rest.length > 0 || what.kind === 'replace' || what.kind === 'add') return [[key, change(part, rest, what)]]
    return what.kind === 'rename' ? [[what.key, part]] : []
  })
  // `fromEntries` defines, so that a key `__proto__` becomes a key.
  return Object.fromEntries(entries)
}

function addTo(value: unknown, { put, key }: Change): unknown {
  if (Array.isArray(value)) return [...(value as unknown[]), put]
  if (typeof value === 'object' && value !== null) return Object.fromEntries([...Object.entries(value), [key, put]])
  return put
}
