import { type IncludeDirective, type IncludeSyntax, readLineRanges } from '../../flatten/expand-includes.ts'
import { resolveSourcePath } from '../../trees/source-path.ts'

const directive =
  /^((?:[^{\\\n]|\{(?!\{#)|\\(?!\{\{)){0,300})\{\{[ \t]*#(include|rustdoc_include|playground|playpen)[ \t]+([^\s{}:]{1,300})((?::[\w-]{0,100}){0,2})(?:[ \t][^{}\n]{0,200})?\}\}(.*)$/

/**
 * `{{#include file.rs:2:10}}` and `{{#include file.rs:anchor}}`, in code as well, and `{{#playground file.rs}}`, which makes
 * a block of code. Behind a backslash it is text.
 */
export const mdbookIncludes: IncludeSyntax = {
  isReadInCode: true,
  read: readDirective,
  resolve: (fromFile, { reference }) => resolveSourcePath(fromFile, reference),
}

function readDirective(line: string): IncludeDirective | null {
  if (!line.includes('{{')) return null
  const [match, before = '', name = '', reference = '', part = '', after = ''] = directive.exec(line) ?? []
  if (match === undefined) return null
  const isRange = /^[:\d]*$/.test(part)
  const indent = /^[ \t]*/.exec(before)?.[0] ?? ''
  return {
    reference,
    isFromProject: false,
    region: isRange ? '' : part.slice(1).replace(/:.*$/, ''),
    lines: isRange ? readLineRanges(part.slice(1)) : [],
    fence: name.startsWith('play') ? 'rust' : null,
    indent,
    around: [before.slice(indent.length), after],
  }
}
