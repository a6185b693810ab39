import { type IncludeDirective, type IncludeSyntax, readLineRanges } from '../../flatten/expand-includes.ts'
import { inFolder } from '../../routes/site-roots.ts'
import { resolveSourcePath } from '../../trees/source-path.ts'

export interface MkdocsIncludeOptions {
  /** Folders searched for included files, in order. */
  folders: readonly string[]
  /** Files that end every page, as written. */
  appended: readonly string[]
  /** Whether `{!file!}` includes a file. */
  hasMarks: boolean
  /** Whether `{* file *}` includes code. */
  hasVariants: boolean
  /** Whether `{% include-markdown "file" %}` includes text. */
  hasTags: boolean
}

const snippet = /^([ \t]*)-{1,8}8<-{1,8}[ \t]+(?:"([^"\n]{1,300})"|'([^'\n]{1,300})')[ \t]*$/
const blockMark = /^([ \t]*)-{1,8}8<-{1,8}[ \t]*$/
const mark =
  /^([ \t]{0,200})((?:[^\\{\n]|\{(?!!)){0,300})\{![-+<>]{0,2}[ \t]*([^!|[\]\n]{1,300}?)[ \t]*(?:\[ln:([^\]\n]{1,200})\][ \t]*)?(?:\|[\w -]{1,40})?(?:!lines=([-\d ]{1,200}))?!\}(.*)$/
const variants = /^([ \t]*)\{\*[ \t]*([^\s*]{1,300})((?:[ \t]+\w{1,20}\[[^\]\n]{0,200}\])*)[ \t]*\*\}[ \t]*$/
const tag =
  /^([ \t]{0,200})((?:[^{\n]|\{(?!%)){0,300})\{%-?[ \t]*include(?:-markdown)?[ \t]+(?:"([^"\n]{1,300})"|'([^'\n]{1,300})')([^%\n]{0,500})%\}(.*)$/

/**
 * Includes of MkDocs extensions, in code as well: `--8<-- "file.md:part"` of `pymdownx.snippets`, `{!file!}` of
 * `mdx_include` and `markdown_include`, `{* file ln[1:5] *}` of `markdown_include_variants`, and
 * `{% include-markdown "file" %}` of the plugin of that name.
 */
export function mkdocsIncludes(paths: ReadonlySet<string>, options: MkdocsIncludeOptions): IncludeSyntax {
  const { folders, appended, hasMarks, hasVariants, hasTags } = options
  const find = (folder: string, reference: string) => {
    const file = resolveSourcePath('', inFolder(folder, reference))
    return file !== null && paths.has(file) ? [file] : []
  }
  return {
    isReadInCode: true,
    prepare: (body) => {
      const joined = splitBlocks(hasTags ? joinTags(body) : body)
      return [joined, ...appended.map((file) => `--8<-- "${file}"`)].join('\n\n')
    },
    // A semicolon shows the directive itself.
    unescape: (line) => line.replace(/^([ \t]*);(?=-{1,8}8<-)/, '$1'),
    read: (line) =>
      readSnippet(line) ??
      (hasMarks ? readMark(line) : null) ??
      (hasVariants ? readVariants(line) : null) ??
      (hasTags ? readTag(line) : null),
    resolve: (fromFile, { reference, isFromProject }) => {
      const own = fromFile.split('/').slice(0, -1).join('/')
      const searched = isFromProject ? [...folders, own] : [own, ...folders]
      return searched.flatMap((folder) => find(folder, reference))[0] ?? null
    },
  }
}

/** Joins tags that span several lines into one line. */
function joinTags(body: string): string {
  return body.replace(/\{%-?\s{0,100}include[^%]{0,1000}%\}/g, (written) => written.replace(/\s*\n\s*/g, ' '))
}

/** Lists of files between two marks become one directive per file. A leading semicolon disables an entry. */
function splitBlocks(body: string): string {
  if (!body.includes('8<')) return body
  let isBlock = false
  const lines = body.split('\n').flatMap((line) => {
    if (blockMark.test(line)) {
      isBlock = !isBlock
      return []
    }
    const name = line.trim()
    return isBlock
      ? name === '' || name.startsWith(';')
        ? []
        : [line.replace(name, () => `--8<-- "${name}"`)]
      : [line]
  })
  return lines.join('\n')
}

function readSnippet(line: string): IncludeDirective | null {
  const [match, indent = '', double, single] = snippet.exec(line) ?? []
  if (match === undefined) return null
  const [, reference = '', part = ''] = /^(.+?)((?::[-\w.:,]*)?)$/.exec(double ?? single ?? '') ?? []
  const isUrl = /^https?:\/\//.test(double ?? single ?? '')
  const isRange = /^[\d:,]*$/.test(part)
  return {
    reference: isUrl ? (double ?? single ?? '') : reference,
    isFromProject: true,
    region: isRange ? '' : part.slice(1),
    // A single number is the first line of the rest.
    lines: isRange ? readLineRanges(part.slice(1).replace(/^\d+$/, '$&:')) : [],
    fence: null,
    indent,
  }
}

function readMark(line: string): IncludeDirective | null {
  if (!line.includes('{!')) return null
  const [match, indent = '', before = '', reference = '', numbered, listed, after = ''] = mark.exec(line) ?? []
  if (match === undefined) return null
  const lines = readLineRanges(numbered ?? listed ?? '')
  return { reference, isFromProject: true, region: '', lines, fence: null, indent, around: [before, after] }
}

function readVariants(line: string): IncludeDirective | null {
  const [match, indent = '', reference = '', options = ''] = variants.exec(line) ?? []
  if (match === undefined) return null
  // `ln[0]` only offers the whole file.
  const lines = readLineRanges(/\bln\[(?!0\])([^\]]*)\]/.exec(options)?.[1] ?? '')
  const title = /\btitle\["?([^\]"]*)/.exec(options)?.[1] ?? ''
  const fence = `${/\.(\w+)$/.exec(reference)?.[1] ?? ''} ${title}`.trim()
  return { reference, isFromProject: true, region: '', lines, fence, indent }
}

function readTag(line: string): IncludeDirective | null {
  if (!line.includes('{%')) return null
  const [match, indent = '', before = '', double, single, options = '', after = ''] = tag.exec(line) ?? []
  if (match === undefined) return null
  const optionOf = (name: string) => {
    const [, quoted, plain = ''] = new RegExp(`\\b${name}=(?:"([^"]*)"|'([^']*)')`).exec(options) ?? []
    return quoted ?? plain
  }
  const reference = double ?? single ?? ''
  const between = [optionOf('start'), optionOf('end')] as const
  return {
    reference,
    isFromProject: false,
    region: '',
    lines: [],
    between,
    fence: null,
    indent,
    around: [before, after],
  }
}
