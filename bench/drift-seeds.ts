import { createSeededRandom } from '../test/chaos/seeded-random.ts'
import type { Files } from './drift-set.ts'

/** A product with its documentation, and changes to it that make pages false, or that must not be noticed. */
export interface SeededProduct {
  product: Files
  pages: Files
  drifts: { kind: string; after: Files; subject: string; to: string | null }[]
  refactorings: { kind: string; after: Files }[]
}

const verbs = ['fetch', 'render', 'parse', 'queue', 'merge', 'export', 'resolve', 'archive', 'verify', 'schedule']
const nouns = ['Invoice', 'Ticket', 'Ledger', 'Parcel', 'Sensor', 'Channel', 'Voucher', 'Recipe', 'Shelf', 'Courier']
const options = [
  'retryLimit',
  'pageSize',
  'cacheFolder',
  'idleTimeout',
  'batchCount',
  'maxDepth',
  'logPrefix',
  'hostName',
]

type Pick = <Item>(items: readonly Item[]) => Item

interface Names {
  fn: string
  Type: string
  option: string
  other: string
  env: string
  flag: string
  path: string
  value: number
  module: string
  python: string
}

function chooseNames(pick: Pick, index: number): Names {
  const [verb, noun, option] = [pick(verbs), pick(nouns), pick(options)]
  const other = pick(options.filter((each) => each !== option))
  return {
    fn: `${verb}${noun}`,
    Type: `${noun}Options`,
    option,
    other,
    env: `${noun.toUpperCase()}_${pick(['TOKEN', 'REGION', 'ENDPOINT'])}_${pick(['PATH', 'NAME', 'URL'])}`,
    flag: `--${pick(['dry', 'full', 'skip', 'keep'])}-${noun.toLowerCase()}`,
    path: `/v1/${noun.toLowerCase()}s`,
    value: 3 + (index % 40),
    module: `${noun.toLowerCase()}-${verb}er`,
    python: `${verb}_${noun.toLowerCase()}_rows`,
  }
}

function writeProduct(name: string, names: Names): Files {
  const { fn, Type, option, other, env, flag, path, value, module, python } = names
  return {
    'package.json': JSON.stringify({ name, version: '1.0.0', bin: { [name]: 'src/cli.ts' } }),
    [`src/${module}.ts`]: `import { open } from './inner/open.ts'

export interface ${Type} {
  ${option}?: number
  ${other}?: string
}

/** Does the work. */
export function ${fn}(id: string, { ${option} = ${value}, ${other} = 'none' }: ${Type} = {}) {
  const token = process.env.${env}
  return open('${path}', id, token, ${option}, ${other})
}
`,
    'src/inner/open.ts': `export function open(...parts: unknown[]) {\n  const joined = parts.join('/')\n  return joined\n}\n`,
    'src/cli.ts': `import { ${fn} } from './${module}.ts'\nprogram.option('${flag}', 'does it').action((id) => ${fn}(id))\n`,
    'python/client.py': `def ${python}(path, chunk_rows=${value}):\n    return path\n`,
    [`test/${module}.test.ts`]: `import { ${fn} } from '../src/${module}.ts'\nit('works', () => ${fn}('a', { ${option}: 1 }))\n`,
    '.github/workflows/ci.yml': 'run: npm test -- --run\n',
  }
}

function writePages(name: string, { fn, option, env, flag, path, value, module, python }: Names): Files {
  return {
    'docs/start.mdx': `# Start\n\nRun \`npm install ${name}\`.\n\n\`\`\`ts\nimport { ${fn} } from '${name}'\n\nawait ${fn}('a', { ${option}: 5 })\n\`\`\`\n\nPass \`${flag}\` to skip it. Set \`${env}\` first.\n`,
    'docs/reference.mdx': `# Reference\n\n## \`${fn}()\`\n\n| Option | Default |\n| --- | --- |\n| \`${option}\` | \`${value}\` |\n\nIt calls \`GET ${path}\`, see \`src/${module}.ts\`. From Python, call \`${python}()\`.\n`,
  }
}

const snake = (name: string) => name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase()

/** Replaces a name in all files, or only outside of tests. */
function rename(files: Files, from: string, to: string, inTests = true): Files {
  const entries = Object.entries(files).map(([path, text]) => [
    path,
    inTests || !path.startsWith('test/') ? text.replaceAll(from, to) : text,
  ])
  return Object.fromEntries(entries) as Files // Of pairs of strings.
}

function listDrifts(name: string, files: Files, names: Names): SeededProduct['drifts'] {
  const { fn, option, env, flag, path, value, module, python } = names
  const file = `src/${module}.ts`
  const { [file]: moved = '', ...rest } = files
  const without = (from: string) => rename(files, from, 'innerStep', false)
  const renamed = (kind: string, from: string, to: string) => ({
    kind,
    after: rename(files, from, to),
    subject: from,
    to,
  })
  return [
    renamed('rename-symbol', fn, `${fn}Batch`),
    renamed('rename-python', python, `${python}_fast`),
    {
      kind: 'remove-symbol',
      after: rename(rename(files, fn, 'innerStep'), 'export function innerStep', 'function innerStep'),
      subject: fn,
      to: null,
    },
    { kind: 'remove-keep-tests', after: without(fn), subject: fn, to: null },
    renamed('rename-option', option, `${option}Hint`),
    renamed('rename-env', env, `${env}_V2`),
    renamed('rename-flag', flag, `${flag}-now`),
    {
      kind: 'move-file',
      after: { ...rest, [`src/steps/${module}.ts`]: moved },
      subject: file,
      to: `src/steps/${module}.ts`,
    },
    renamed('rename-endpoint', path, path.replace('/v1/', '/v2/')),
    {
      kind: 'change-default',
      after: rename(files, `${option} = ${value}`, `${option} = ${value + 7}`),
      subject: option,
      to: String(value + 7),
    },
    {
      kind: 'rename-package',
      after: { ...files, 'package.json': (files['package.json'] ?? '').replace(`"${name}"`, `"${name}-next"`) },
      subject: name,
      to: `${name}-next`,
    },
  ]
}

function listRefactorings(files: Files, { fn, option, module, env }: Names): SeededProduct['refactorings'] {
  const file = `src/${module}.ts`
  const text = files[file] ?? ''
  const edit = (kind: string, change: Files) => ({ kind, after: { ...files, ...change } })
  return [
    edit('reformat', { [file]: text.replaceAll('  ', '    ').replaceAll("'", '"') }),
    edit('comments', { [file]: text.replace('/** Does the work. */', `/** Used to be called ${fn}Old. */`) }),
    edit('locals', {
      [file]: text.replaceAll('token', 'secret'),
      'src/inner/open.ts': (files['src/inner/open.ts'] ?? '').replaceAll('joined', 'whole'),
    }),
    edit('add', {
      'src/extra.ts': `export function extra${fn}() {}\n`,
      [file]: `${text}\nexport const ${option}Max = 9\n`,
    }),
    edit('tests', { [`test/${module}.test.ts`]: "it('is quiet', () => {})\n" }),
    edit('support', {
      '.github/workflows/ci.yml': 'run: npm run check -- --all\n',
      'scripts/release.sh': `echo ${env}\n`,
    }),
    edit('split', { [file]: `export * from './core.ts'\n`, 'src/core.ts': text.replace('./inner', './inner') }),
    edit('reorder', { [file]: text.split('\n\n').toReversed().join('\n\n') }),
    edit('default-alias', { [file]: text.replace(`${option} = `, `${option} = /* kept */ `) }),
    edit('case', { 'src/cli.ts': `${files['src/cli.ts'] ?? ''}\nconst ${snake(option)}_line = 1\n` }),
  ]
}

export function seedProduct(seed: number): SeededProduct {
  const random = createSeededRandom(seed)
  const pick: Pick = (items) => {
    const item = items[Math.floor(random() * items.length)]
    if (item === undefined) throw new Error('There is nothing to choose from.')
    return item
  }
  const name = `${pick(nouns).toLowerCase()}-kit`
  const names = chooseNames(pick, seed)
  const product = writeProduct(name, names)
  return {
    product,
    pages: writePages(name, names),
    drifts: listDrifts(name, product, names),
    refactorings: listRefactorings(product, names),
  }
}
