import type { IncludeDirective, IncludeSyntax } from '../../flatten/expand-includes.ts'
import { inFolder } from '../../routes/site-roots.ts'
import { isPageFile, resolveSourcePath } from '../../trees/source-path.ts'

const tag =
  /^([ \t]*)<include((?:[ \t]+[\w-]+(?:=(?:"[^"\n]*"|'[^'\n]*'))?)*)[ \t]*>[ \t]*([^<>\n]{1,300}?)[ \t]*<\/include>[ \t]*$/

/** `<include>./part.mdx#section</include>` takes in text; files of other kinds become code. `cwd` names files from the project's folder. */
export function fumadocsIncludes(root: string): IncludeSyntax {
  return {
    prepare: joinIncludeLines,
    read: readTag,
    resolve: (fromFile, { reference, isFromProject }) =>
      isFromProject ? resolveSourcePath('', inFolder(root, reference)) : resolveSourcePath(fromFile, reference),
  }
}

/** Puts a tag that runs over several lines on one, so that it is read as one. Pure. */
function joinIncludeLines(body: string): string {
  if (!body.includes('<include')) return body
  return body.replace(
    /<include\b([^<>]{0,500})>\s*([^<>\s][^<>\n]{0,300}?)\s*<\/include>/g,
    (_written, attributes: string, path: string) => {
      return `<include${attributes.replace(/\s+/g, ' ').trimEnd()}>${path}</include>`
    },
  )
}

function readTag(line: string): IncludeDirective | null {
  const [match, indent = '', attributes = '', written = ''] = tag.exec(line) ?? []
  if (match === undefined) return null
  const [path = '', region = ''] = written.split('#')
  const meta = /\bmeta=(?:"([^"]*)"|'([^']*)')/.exec(attributes)
  const language = /\blang=["']([\w-]+)["']/.exec(attributes)?.[1] ?? /\.(\w+)$/.exec(path)?.[1] ?? ''
  const title = /\btitle="([^"]*)"/.exec(meta?.[1] ?? meta?.[2] ?? '')?.[1] ?? ''
  const isText = isPageFile(path) && !/\blang=/.test(attributes)
  return {
    reference: path,
    isFromProject: /(?:^|\s)cwd(?:[\s=]|$)/.test(attributes),
    region,
    lines: null,
    fence: isText ? null : `${language} ${title}`.trim(),
    indent,
  }
}
