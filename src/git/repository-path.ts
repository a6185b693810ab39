import { AppError } from '../contract/app-error.ts'

const pathBytesMax = 1000
const segmentBytesMax = 255
const depthMax = 40

interface PathRule {
  /** What is wrong with the path, as the end of a sentence; null if nothing is. */
  fault: string
  isBroken: (path: string, segments: readonly string[]) => boolean
}

/** In the order most useful to a person. */
const rules: readonly PathRule[] = [
  { fault: 'is empty', isBroken: (path) => path === '' },
  { fault: 'begins with "/"', isBroken: (path) => path.startsWith('/') },
  { fault: 'ends with "/"', isBroken: (path) => path.endsWith('/') },
  { fault: 'holds a backslash', isBroken: (path) => path.includes('\\') },
  {
    fault: 'contains an invisible character',
    isBroken: (path) => /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}]/u.test(path),
  },
  { fault: 'contains a space character other than the ordinary one', isBroken: (path) => /[^\P{Zs} ]/u.test(path) },
  { fault: 'is not in the Unicode form NFC', isBroken: (path) => path !== path.normalize('NFC') },
  { fault: 'contains one of : * ? " < > |, which some systems reject', isBroken: (path) => /[:*?"<>|]/.test(path) },
  { fault: 'contains a percent-encoded character', isBroken: (path) => /%[0-9a-f]{2}/i.test(path) },
  {
    fault: 'contains a character that looks like a slash',
    isBroken: (path) => /[\u2044\u2215\u2216\u2571\u29F5\u29F8\uFF0F\uFF3C]/.test(path),
  },
  { fault: 'contains an empty part', isBroken: (_, segments) => segments.includes('') },
  {
    fault: 'contains a part ".", ".." or "~"',
    isBroken: (_, segments) => segments.some((segment) => /^(?:\.{1,2}|~)$/.test(segment)),
  },
  { fault: 'has a part that ends with a dot or a space', isBroken: (_, segments) => segments.some(hasLooseEnd) },
  { fault: 'leads into ".git"', isBroken: (_, segments) => segments.some(isGitFolder) },
  {
    fault: 'has a part that is the name of a device on Windows',
    isBroken: (_, segments) => segments.some((segment) => /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(segment)),
  },
  { fault: `is longer than ${pathBytesMax} bytes`, isBroken: (path) => Buffer.byteLength(path) > pathBytesMax },
  {
    fault: `has a part longer than ${segmentBytesMax} bytes`,
    isBroken: (_, segments) => segments.some((segment) => Buffer.byteLength(segment) > segmentBytesMax),
  },
  { fault: `is more than ${depthMax} folders deep`, isBroken: (_, segments) => segments.length > depthMax },
]

/**
 * Checks the path of a file to be written, so that it names one place inside the tree on every system that may check it
 * out. Stricter than git, which silently skips some bad paths and accepts others.
 *
 * @param path `/` between segments, from the root of the tree. A leading `./` is dropped.
 * @returns The path to use; checking it again returns the same.
 * @throws {AppError} `invalid_request` with a sentence that names the problem.
 */
export function checkRepositoryPath(path: string): string {
  const bare = path.replace(/^(?:\.\/)+/, '')
  const segments = bare.split('/')
  const broken = rules.find(({ isBroken }) => isBroken(bare, segments))
  if (broken === undefined) return bare
  throw new AppError(
    'invalid_request',
    `The path ${quotePath(path)} ${broken.fault}. Write it from the root of the files, such as "guides/install.mdx".`,
  )
}

/** The path of a folder as prefix of paths: without `./` and slashes around it; empty for the root. */
export function normalizeFolder(folder: string): string {
  const path = folder.replace(/^(?:\.?\/)+|\/+$/g, '')
  return path === '.' ? '' : path
}

/** Quotes a path for a message: on one line, with invisible characters shown, and short. */
export function quotePath(path: string): string {
  const shown = path.length > 200 ? `${path.slice(0, 200)}…` : path
  return JSON.stringify(shown).replace(
    /[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}\p{DI}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  )
}

function hasLooseEnd(segment: string): boolean {
  return segment.endsWith('.') || segment.endsWith(' ')
}

/** `.git` in any case and disguise: its NTFS short name, or with characters that file systems ignore. */
function isGitFolder(segment: string): boolean {
  const plain = segment.normalize('NFKC').toLowerCase().trim()
  return plain === '.git' || /^git~\d+$/.test(plain)
}

const latin = 'acdehijlopqswxyvaiknoptuxw'
/** Letters of other scripts that look like these. */
const alike = 'асԁеһіјӏорԛѕԝхуѵαικηορτυχω'
const latinOf = new Map(alike.split('').map((letter, index) => [letter, latin[index] ?? letter]))

/** Equal for paths that some systems, or readers of their addresses, take for one. */
export function foldPath(path: string): string {
  const folded = path.normalize('NFKC').toLowerCase()
  return folded.replace(/[\u0370-\u052f]/g, (letter) => latinOf.get(letter) ?? letter)
}
