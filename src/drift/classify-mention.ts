import type { LapsedFact } from './lapsed-fact.ts'
import type { Mention } from './mention.ts'
import { packageOf } from './fence-names.ts'
import { isCompoundName, isTypeName } from './name-key.ts'

export type Certainty = 'certain' | 'likely'

interface Surroundings {
  /** Lower-case names of the packages that the product has. */
  own: ReadonlySet<string>
  page: string
}

/** Variables that other programs define. */
const foreignVariable = /^(?:(?:HTTPS?|ALL|NO|FTP)_PROXY|LC_[A-Z]+|XDG_[A-Z_]+)$/
/** Variables of services and tools that products of others read as well: a page may speak of those. */
const sharedVariable =
  /^(?:AWS|AZURE|CI|DOCKER|GCP|GIT|GITHUB|GITLAB|GOOGLE|JAVA|KUBE|NETLIFY|NODE|NPM|OTEL|PIP|PYTHON|SSL|VERCEL)_/
/** Names that a language or a platform defines. */
const platformName =
  /^(?:AbortController|AbortSignal|ArrayBuffer|AsyncIterable|AsyncIterator|BaseModel|DataView|FormData|IntersectionObserver|MutationObserver|NodeJS|ReadableStream|SSLContext|TextDecoder|TextEncoder|TransformStream|TypeError|URLSearchParams|WeakMap|WritableStream|(?:set|clear)(?:Immediate|Interval|Timeout)|queueMicrotask|structuredClone|requestAnimationFrame|readFileSync|writeFileSync|readFile|writeFile|createServer|addEventListener|localStorage|sessionStorage|JavaScript|TypeScript|GitHub|GitLab|OpenAPI|GraphQL|PostgreSQL|MySQL|SQLite|NoSQL|LangChain|OpenTelemetry|OpenAI)$/
const shownPlaces: ReadonlySet<string> = new Set(['heading', 'term', 'inline', 'table', 'property'])
/** Where a page describes a name rather than mentions it. */
const describingPlaces: ReadonlySet<string> = new Set(['heading', 'term', 'property'])

/** Whether a mention speaks of a fact that the product lost, and how surely; null if it does not. Pure. */
export function classifyMention(fact: LapsedFact, mention: Mention, { own, page }: Surroundings): Certainty | null {
  if (fact.package !== '' && !speaksOfPackage(fact, mention)) return null
  // Libraries make flags of the fields and parameters that a command takes.
  if (mention.form === 'flag' && fact.form !== 'flag') return isCompoundName(fact.key) ? 'likely' : null
  switch (fact.form) {
    case 'default':
      if (mention.value !== fact.value) return null
      return isCompoundName(fact.key) || sharesWord(fact.path, page) ? 'certain' : 'likely'
    case 'endpoint':
    case 'package':
      return mention.place === 'log' ? null : 'certain'
    case 'file':
      // `highlight.js` is a package.
      if (!isPathEnd(fact.name, mention.name) || own.has(mention.name.toLowerCase())) return null
      return isNearPath(fact.name, mention.name, page) ? 'certain' : 'likely'
    case 'command':
      if (mention.owner === '' || mention.place === 'heading') return isCompoundName(fact.key) ? 'certain' : null
      return own.has(mention.owner) ? 'certain' : isCompoundName(fact.key) ? 'likely' : null
    case 'feature':
      return 'likely'
    case 'flag':
      // What another tool runs may be another's.
      if (!mention.isName && !own.has(mention.source)) return null
      // Alone in a sentence, a flag of one word may be another program's.
      return shownPlaces.has(mention.place) &&
        (mention.place !== 'inline' || mention.source !== '' || isCompoundName(fact.key))
        ? 'certain'
        : 'likely'
    case 'parameter':
      return mention.owner === fact.owner ? 'likely' : null
    case 'field':
      if (mention.owner !== fact.owner || mention.place === 'log') return null
      return ['table', 'term', 'property'].includes(mention.place) ? 'certain' : 'likely'
    case 'exported':
    case 'member':
    case 'read':
    case 'variable':
      return classifyName(fact, mention, own)
  }
}

function classifyName(fact: LapsedFact, mention: Mention, own: ReadonlySet<string>): Certainty | null {
  const { name, form } = fact
  if (foreignVariable.test(name) || platformName.test(mention.name)) return null
  if (isForeign(mention, own)) return null
  const isSame = mention.name === name || mention.name.split('.').at(-1) === name
  const isType = isTypeName(name) && !isTypeName(mention.name.split('.').at(-1) ?? '')
  if (!isSame && (isType || !isSpelling(mention.name, name))) return null
  const isPlain = !isCompoundName(fact.key)
  if (isPlain && !(isSame && fact.isPublic && form === 'exported' && mention.isName && isDistinct(mention))) return null
  const isShown = shownPlaces.has(mention.place)
  // What code reads of an object may be another library's.
  if (form === 'read') return isSame && mention.isName && describingPlaces.has(mention.place) ? 'likely' : null
  if (form === 'member') {
    // In a sentence, another spelling is often the name of something else.
    const isMeant = isSame || (fact.isPublic && (mention.place !== 'inline' || isTypeName(mention.name)))
    return isMeant && (isShown || isTelling(fact.key, mention)) ? 'likely' : null
  }
  const isSure = isSame && isShown && mention.isName && !isPlain && !sharedVariable.test(name)
  return isSure ? 'certain' : 'likely'
}

/** A plain word counts as a name if it is in code and is capitalized, called or imported. */
function isDistinct({ name, place, source }: Mention): boolean {
  return place !== 'prose' && (source !== '' || /^[A-Z]/.test(name) || place === 'inline')
}

/** In samples, a name of two parts is often the reader's own. */
function isTelling(key: string, { source }: Mention): boolean {
  return source !== '' || key.split('_').filter(Boolean).length > 2
}

/** The same name in another style, unless it has become the name of a package or a word: `lint-staged`. */
function isSpelling(mentioned: string, name: string): boolean {
  return !mentioned.includes('-') || name.includes('-')
}

function isForeign(mention: Mention, own: ReadonlySet<string>): boolean {
  return mention.source !== '' && own.size > 0 && !isOwnImport(mention, own)
}

/** Whether a sample imports the name from a package of the product. */
export function isOwnImport({ source }: Mention, own: ReadonlySet<string>): boolean {
  const scope = packageOf(source)
  return [...own].some((name) => name === scope.toLowerCase() || name.replaceAll('-', '_') === scope.toLowerCase())
}

function speaksOfPackage(fact: LapsedFact, { place, source }: Mention): boolean {
  if (fact.form === 'package') return true
  return fact.form === 'exported' && (source !== '' || shownPlaces.has(place))
}

/** The end of a path is another file of that name as well, unless it is long or said beside the file. */
function isNearPath(path: string, mentioned: string, page: string): boolean {
  const start = path.slice(0, path.length - mentioned.length)
  return mentioned.includes('/') && (page.startsWith(start) || mentioned.split('/').length > 2)
}

function isPathEnd(path: string, mentioned: string): boolean {
  return path === mentioned || path.endsWith(`/${mentioned}`)
}

const commonWords =
  /^(?:docs?|src|lib|index|reference|api|guides?|config(?:uration)?|main|core|packages?|content|app|apps|pages?|options?|settings?|test|utils?|types?|en|md|mdx|ts|js|py|go|tsx|init|base)$/

function sharesWord(one: string, other: string): boolean {
  const wordsOf = (path: string) =>
    path
      .toLowerCase()
      .split(/[^a-z\d]+/)
      .filter((word) => word.length > 1 && !commonWords.test(word))
  const words = new Set(wordsOf(one))
  return wordsOf(other).some((word) => words.has(word))
}
