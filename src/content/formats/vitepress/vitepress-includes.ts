import type { IncludeDirective, IncludeSyntax } from '../../flatten/expand-includes.ts'
import { inFolder } from '../../routes/site-roots.ts'
import { fillVueTemplates } from './fill-vue-templates.ts'
import { resolveSourcePath } from '../../trees/source-path.ts'

const include =
  /^([ \t]*)<!--[ \t]*@include:[ \t]*([^\s#{}]{1,300})(?:#([\w.-]{1,100}))?[ \t]*(?:\{(\d*)(,?)(\d*)\})?[ \t]*-->[ \t]*$/
const snippet =
  /^([ \t]*)<<<[ \t]*([^\s#{}[\]]{1,300})(?:#([\w.-]{1,100}))?[ \t]*(?:\{([^{}\n]{0,100})\})?[ \t]*(?:\[([^\]\n]{1,200})\])?[ \t]*$/

/**
 * `<!--@include: ./part.md{3,}-->` includes text, `<<< @/snippets/x.js#region {ts} [title]` code; `@` is the folder of
 * the pages.
 */
export function vitepressIncludes(sourceFolder: string): IncludeSyntax {
  return {
    prepare: fillVueTemplates,
    read: (line) => readInclude(line) ?? readSnippet(line),
    resolve: (fromFile, { reference, isFromProject }) =>
      isFromProject
        ? resolveSourcePath('', inFolder(sourceFolder, reference.slice(2)))
        : resolveSourcePath(fromFile, reference),
  }
}

function readInclude(line: string): IncludeDirective | null {
  const [match, indent = '', reference = '', region = '', first = '', comma = '', last = ''] = include.exec(line) ?? []
  if (match === undefined) return null
  const start = first === '' ? null : Number(first)
  const end = last === '' ? (comma === '' ? start : null) : Number(last)
  return { reference, isFromProject: isFromProject(reference), region, lines: [[start, end]], fence: null, indent }
}

function readSnippet(line: string): IncludeDirective | null {
  const [match, indent = '', reference = '', region = '', options = '', title = ''] = snippet.exec(line) ?? []
  if (match === undefined) return null
  const language = /(?:^|[\s,])([A-Za-z][\w#+.-]*)/.exec(options)?.[1] ?? /\.(\w+)$/.exec(reference)?.[1] ?? ''
  const fence = `${language} ${title}`.trim()
  return { reference, isFromProject: isFromProject(reference), region, lines: [], fence, indent }
}

function isFromProject(reference: string): boolean {
  return reference.startsWith('@/')
}
