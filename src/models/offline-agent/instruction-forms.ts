import { addPage, addPageBeside } from './add-page.ts'
import type { AgentProgram } from './agent-program.ts'
import { addRedirect, changeEntry, renameGroup } from './change-navigation.ts'
import { deletePage, movePage } from './change-pages.ts'
import { editPages, type PageEdit } from './edit-pages.ts'
import { fixLinks } from './fix-links.ts'
import {
  type BlockPlace,
  insertBlock,
  removeSection,
  removeText,
  renameHeading,
  type TextEdit,
} from './markdown-edits.ts'
import { insertRow, moveUnit, removeNth, removeUnit, type UnitKind, type UnitPlace } from './markdown-units.ts'
import { type Clause, pagePattern, readName, readPages } from './read-clauses.ts'
import { undoChange } from './undo-change.ts'
import { replaceText } from './replace-text.ts'
import { retitlePage, setFrontmatter } from './set-frontmatter.ts'

type Groups = Readonly<Record<string, string | undefined>>

/** How one kind of instruction is worded, and what follows it. */
interface InstructionForm {
  verbs: readonly Clause['verb'][]
  /** Matches the rest of a clause: see `Clause.rest`. */
  pattern: RegExp
  /** Named when an instruction is not understood. */
  example: string
  /** @returns Null if the clause lacks something, such as the page. */
  read(names: (group: string) => string, clause: Clause, groups: Groups): AgentProgram | null
}

const quoted = '⟦\\d+⟧'
const bare = '[^\\s§⟦〔,]+'
const words = `${bare}(?: ${bare}){0,5}`
const text = `(?:${quoted}|〔\\d+〕|${bare})`
const page = `(?:${pagePattern})`
const anyPage = `(?:${page}|${quoted}|${bare})`
const spokenPage = `(?:${page}|${quoted}|${bare}(?: ${bare}){0,2})`
const bareWords = `${bare}(?: ${bare}){0,3}`
const heading = `(?:${quoted}|${bareWords})`
/** A piece of a page. */
const piece = 'BLOCK|SENTENCE|PARA|ITEM|ROW|SUBJ|CONTENT'
const block = `§(?:HEADING|SECTION|${piece}) ${quoted}(?: §SECTION)?|§(?:HEADING|SECTION) ${heading}|${heading} §SECTION`
/** Such as `§AFTER §HEADING ⟦1⟧`. */
const blockPlace = `§(?:(?:END|START)(?:(?: §IN| §FROM)? (?:${block}))?|(?:AFTER|BEFORE|UNDER)(?: §IN| §FROM)?(?: (?:${block}|${quoted}))?|(?:AFTER|BEFORE) ${bareWords}|(?:TO|IN) (?:§SECTION ${heading}|${heading} §SECTION))`
const subject = `(?:§(?:${piece}) )?`
/** Such as `§FROM options §TABLE`. */
const container = `(?: §(?:IN|FROM|TO)(?: ${bareWords})? §(?:LIST|TABLE))?`
const field = `(?:(?:§FIELD )?§F:(?<known>\\w+)|§FIELD (?<field>${quoted}|${bare}))`
const by = '(?:§BY|§WITH|§TO|§IN)'

const pair = `${subject}(?:§FROM )?${text} ${by} ${subject}${text}`
const onePair = new RegExp(`^(?<subject>${subject})(?:§FROM )?(?<from>${text}) ${by} ${subject}(?<to>${text})$`, 'u')

function form(pattern: string): RegExp {
  return new RegExp(`^(?:${pattern})$`, 'u')
}

/** The most specific first. */
export const instructionForms: readonly InstructionForm[] = [
  {
    verbs: ['FIX', 'CHANGE'],
    pattern: form('§LINKS'),
    example: 'Fix all broken links.',
    read: () => fixLinks(),
  },
  {
    verbs: ['UNDO'],
    pattern: form(''),
    example: 'Undo your last change.',
    read: (_names, { place }) =>
      place === null || typeof place !== 'string' ? undoChange(place === null ? null : place.pages) : null,
  },
  {
    verbs: ['ADD', 'SET', 'REDIRECT'],
    pattern: form(
      `(?:§REDIRECT )?(?:§FROM |§IN )?(?:§PAGE )?(?<from>${text}) (?:§TO|§IN) (?:§PAGE )?(?<to>${text})(?: §PAGE)?`,
    ),
    example: 'Redirect /old-path to guides/install.',
    read: (names, { verb, rest }) =>
      verb === 'REDIRECT' || rest.startsWith('§REDIRECT ') ? addRedirect(names('from'), names('to')) : null,
  },
  {
    verbs: ['CHANGE', 'RENAME'],
    pattern: form(
      `(?:§NAV )?§GROUP (?<from>${heading})(?: §IN §NAV)? §TO (?<to>${heading})(?: §IN §NAV)?|(?<from2>${heading})(?: §NAV)? §GROUP(?: §IN §NAV)? §TO (?<to2>${quoted})(?: §IN §NAV)?`,
    ),
    example: 'Rename the group "Basics" to "Getting started" in the navigation.',
    read: (names, { said }, { from }) =>
      // A folder is no group of the navigation.
      /\bfolder\b/i.test(said)
        ? null
        : from === undefined
          ? renameGroup(names('from2'), names('to2'))
          : renameGroup(names('from'), names('to')),
  },
  {
    verbs: ['DELETE', 'HIDE'],
    pattern: form(`(?<page>${spokenPage}) (?:§FROM|§IN) §NAV|(?:§FROM|§IN) §NAV (?<page2>${spokenPage})`),
    example: 'Remove guides/install from the navigation.',
    read: (names, { place }, { page: first }) =>
      place === null ? changeEntry('remove', names(first === undefined ? 'page2' : 'page'), {}) : null,
  },
  {
    verbs: ['ADD', 'MOVE'],
    pattern: form(
      `(?:§IN §NAV )?(?<page>${spokenPage}) (?:(?:§TO|§IN) §NAV )?(?:(?:§UNDER|§IN|§TO) (?:§GROUP |§SECTION )?(?<group>${quoted}|${bare}(?: ${bare}){0,2})(?: §GROUP| §SECTION)?|§AFTER (?<after>${spokenPage})|§BEFORE (?<before>${spokenPage}))?(?: ?(?:§TO|§IN) §NAV)?`,
    ),
    example: 'Add guides/install to the navigation after index.',
    read: readEntry,
  },
  {
    verbs: ['MOVE', 'ADD'],
    pattern: form(
      `(?:§(?:IN|FROM)(?: ${bareWords})? §(?:LIST|TABLE)(?: ,)? )?(?:§(?<kind>SECTION|ITEM|ROW) (?:§TITLED )?(?<name>${heading})|(?<name2>${heading}) §(?<kind2>SECTION|ITEM|ROW)|(?<name3>${quoted}))${container} (?:(?:§TO )?§(?<how>BEFORE|AFTER) (?:§(?:SECTION|HEADING|${piece}) )?(?<other>${heading})(?: §(?:SECTION|ITEM|ROW))?|§(?<edge>START|END)(?:(?: §(?:IN|FROM))? §(?:PAGE|LIST|TABLE))?)`,
    ),
    example: 'Move the section "Limits" before "Prices" on guides/install.',
    read: readMovedUnit,
  },
  {
    verbs: ['ADD'],
    pattern: form(
      `§ROW (?:§(?:SAYING|WITH|CONTENT) )?(?<row>${quoted})${container} §(?<how>BEFORE|AFTER) (?:§ROW )?(?<other>${heading})(?: §ROW)?${container}`,
    ),
    example: 'Add a row "`--quiet` | Print nothing." after `--force` on reference/cli.',
    read(names, { place }, { how }) {
      const [row, other] = [names('row'), names('other')]
      const at: UnitPlace = { at: how === 'BEFORE' ? 'before' : 'after', name: other }
      const edit: PageEdit['edit'] = (content) => insertRow(content, row, at)
      return editPages({ place, words: other, edit, title: 'Add a row', done: `Added the row “${row}” to` })
    },
  },
  {
    verbs: ['DELETE'],
    pattern: form(
      `§(?<nth>FIRST|SECOND|THIRD|FOURTH|FIFTH|SIXTH|LAST) §(?<kind>SECTION|SENTENCE|PARA|ITEM|ROW|BLOCK)(?:(?: §(?:IN|FROM))?(?: §(?<group>FIRST|SECOND|THIRD|LAST))? §(?:LIST|TABLE))?(?:(?: §(?:IN|FROM|UNDER))? (?:§SECTION (?<in>${heading})|(?<in2>${heading}) §SECTION|(?<in3>${bareWords}) §(?:LIST|TABLE)|(?<=§(?:FROM|UNDER|LIST|TABLE) )(?<in4>${heading})))?`,
    ),
    example: 'Delete the last sentence of the section "Limits" on guides/install.',
    read: readNth,
  },
  {
    verbs: ['DELETE'],
    pattern: form(
      `§(?<kind>PARA|ITEM|ROW|BLOCK)(?: §(?:SAYING|TITLED|BY))? (?:about )?(?<name>${heading})${container}|(?<name2>${heading}) §(?<kind2>ITEM|ROW)${container}|(?<name3>${quoted}) §(?:IN|FROM)(?: ${bareWords})? §(?<kind3>LIST|TABLE)`,
    ),
    example: 'Remove the row `--force` from the table on reference/cli.',
    read(names, { place, rest }, groups) {
      const kind = kindOf(groups['kind'] ?? groups['kind2'] ?? groups['kind3'], rest)
      const name = names(['name', 'name2', 'name3'].find((group) => groups[group] !== undefined) ?? '')
      if (kind === null || name === '') return null
      return editUnit(place, name, {
        edit: (content) => removeUnit(content, kind, name),
        how: 'Remove',
        past: 'Removed',
        kind,
      })
    },
  },
  {
    verbs: ['RENAME', 'CHANGE', 'REPLACE', 'SET'],
    pattern: form(
      `(?:§HEADING|§SECTION)(?: §HEADING)? (?<from>${quoted}|${bare}|${bareWords}(?= §TO))(?: ${by})? (?<to>${quoted}|${bare}|(?<=§TO )(?=\\p{Lu}|\\d)${bareWords})|(?<from2>${quoted}|${bareWords}) (?:§HEADING|§SECTION)(?: ${by})? (?<to2>${quoted})|§F:title (?<from3>${quoted}) ${by} (?<to3>${quoted})`,
    ),
    example: 'Rename the heading "Setup" to "Installation" on guides/install.',
    read(names, { place, verb, rest, said }, groups) {
      const which = groups['from'] !== undefined ? '' : groups['from2'] !== undefined ? '2' : '3'
      const [from, to] = [names(`from${which}`), names(`to${which}`)]
      // The text of a section may be meant.
      const isText = verb === 'REPLACE' || verb === 'SET' || /[.!?]$|\n/.test(to) || /\bto (?:say|read)\b/i.test(said)
      if (isText && rest.includes('§SECTION') && !rest.includes('§HEADING')) return null
      if (!groups[`to${which}`]?.startsWith('⟦') && spelling.test(to)) return null
      return editPages({
        place,
        words: from,
        edit: (content) => renameHeading(content, from, to),
        title: `Rename the heading “${from}”`,
        done: `Renamed the heading “${from}” to “${to}” on`,
      })
    },
  },
  {
    verbs: ['SET', 'CHANGE', 'RENAME', 'REPLACE', 'ADD'],
    pattern: form(
      `${field}(?: §IN| §FROM)?(?: (?<page>${page}|${bare}(?= ${by} ⟦)))? ?(?:${by})? ?(?<value>${text})|(?<owner>${anyPage}) ${field.replaceAll('?<', '?<other_')} ?(?:${by})? ?(?<otherValue>${text})`,
    ),
    example: 'Set the description of guides/install to "How to install it".',
    read: readField,
  },
  {
    verbs: ['ADD', 'SET'],
    pattern: form(`(?<pair>${quoted}) (?:§TO|§IN) §FIELD`),
    example: 'Add "icon: rocket" to the frontmatter of guides/install.',
    read: readPair,
  },
  {
    verbs: ['RENAME', 'CHANGE'],
    pattern: form(`§PAGE (?<page>${quoted}) §TO (?<title>${quoted})`),
    example: 'Rename the page "Install" to "Installation".',
    read: (names, { place }) =>
      place === null && isTitle(names('title')) ? retitlePage(names('page'), names('title')) : null,
  },
  {
    verbs: ['MOVE', 'RENAME', 'CHANGE'],
    pattern: form(
      `(?<from>${page}|${quoted}|${bare}) (?:§TO|§UNDER|§IN) (?:§PAGE |(?<folder>§GROUP ))?(?<to>${text})(?<folder2> §GROUP)?`,
    ),
    example: 'Move guides/install to start/install.',
    read: readMove,
  },
  {
    verbs: ['DELETE'],
    pattern: form(`(?<pages>${page}(?:(?: ,| §AND| , §AND) (?:${page}|${bare}|${quoted}))*)`),
    example: 'Delete the page guides/old.',
    read: (_names, { place, values }, { pages = '' }) =>
      place === null ? all(readPages(pages, values).map(deletePage)) : null,
  },
  {
    verbs: ['DELETE'],
    pattern: form(
      `§SECTION (?:§HEADING )?(?:§TITLED )?(?<heading>${heading})|(?<before>${quoted}|${bare}(?: ${bare}){0,3}) §SECTION`,
    ),
    example: 'Remove the section "Known issues" from guides/install.',
    read(_names, { place, values }, { heading, before }) {
      const name = readName(heading ?? before ?? '', values)
      return editPages({
        place,
        words: name,
        edit: (content) => removeSection(content, name),
        title: `Remove the section “${name}”`,
        done: `Removed the section “${name}” from`,
      })
    },
  },
  {
    verbs: ['DELETE'],
    pattern: form(`§(?:${piece})(?: §(?:SAYING|TITLED))? (?<text>${quoted})|(?<text2>${quoted})`),
    example: 'Remove the sentence "This is new." from guides/install.',
    read(_names, { place, rest, values }, { text: first, text2 }) {
      const removed = readName(first ?? text2 ?? '', values)
      if (removed.trim() === '' || (place === null && !rest.startsWith('§'))) return null
      return editPages({
        place,
        words: removed,
        edit: (content) => removeText(content, removed),
        title: 'Remove a text',
        done: `Removed “${removed}” from`,
      })
    },
  },
  {
    verbs: ['ADD'],
    pattern: form(
      `§PAGE (?:§TITLED )?(?<title>${quoted}) §(?<how>AFTER|BEFORE) (?<other>${spokenPage}) ?,? ?(?:§AND ?|§WITH ?|§SAYING ?)*(?:§CONTENT ?)?(?<body>${quoted})`,
    ),
    example: 'Add a page "Limits" after guides/install with the text "Ten a minute."',
    read: (names, { place }, { how }) =>
      place === null
        ? addPageBeside(names('title'), names('body'), {
            at: how === 'BEFORE' ? 'before' : 'after',
            page: names('other'),
          })
        : null,
  },
  {
    verbs: ['ADD'],
    pattern: form(
      `(?:§PAGE(?:(?: §TITLED(?= 〔))? (?<name>${text}))?|(?<file>〔\\d+〕))(?: ?,? ?(?:§TITLED|§WITH §F:title|§F:title)(?: §IN)? (?<title>${text}))? ?,? ?(?:§AND ?|§WITH ?|§SAYING ?)*(?:§CONTENT ?)?(?<body>${quoted})`,
    ),
    example: 'Add a page guides/faq titled "FAQ" with this content: and the Markdown in a code block.',
    read: readAddedPage,
  },
  {
    verbs: ['ADD'],
    pattern: form(
      `(?:(?<where1>${blockPlace}) ?,? ?)?(?:§SECTION|§HEADING)(?: §HEADING)? (?:§TITLED )?(?:(?<heading>${quoted})|(?<bare>(?<=§TITLED )${bareWords}|${bareWords}(?= (?:§WITH|§SAYING))))(?: ?,? ?(?<where2>${blockPlace}))?(?:(?: ?,? ?(?:§WITH|§SAYING|§CONTENT|§AND))* (?<body>${quoted}))?(?: ?,? ?(?<where3>${blockPlace}))?`,
    ),
    example: 'Add a section "Limits" with the text "Ten a minute." at the end of guides/install.',
    read: readAddedSection,
  },
  {
    verbs: ['ADD'],
    pattern: form(
      `(?:(?<where1>${blockPlace}) ?,? ?)?(?:§CONTENT )?${subject}(?:§SAYING |§CONTENT )?(?:(?<where2>${blockPlace}) ?,? ?)?(?:§SAYING |§CONTENT )?(?<body>${quoted})(?: ?,? ?(?<where3>${blockPlace}))?`,
    ),
    example: 'Add "Restart the server." after the heading "Installation" on guides/install.',
    read: readAddedText,
  },
  {
    verbs: ['USE', 'ADD'],
    pattern: form(`(?<to>${text}) §INSTEAD ${subject}(?<from>${text})`),
    example: 'Use "sign in" instead of "log in" everywhere.',
    read: (names, clause) => readReplacement(names('from'), names('to'), clause),
  },
  {
    verbs: ['SET'],
    pattern: form(`${subject}(?<from>${quoted}) (?<to>${quoted})`),
    example: '"log in" should be "sign in" on every page.',
    read: (names, clause) => readReplacement(names('from'), names('to'), clause),
  },
  {
    verbs: ['SET', 'CHANGE', 'REPLACE'],
    pattern: form(`${subject}(?:§FROM )?(?<from>${words}) ${by} (?<to>${words})`),
    example: 'Change 5 minutes to 2 minutes on guides/install.',
    read: readUnquoted,
  },
  {
    verbs: ['REPLACE', 'CHANGE', 'RENAME', 'FIX'],
    pattern: form(`${pair}(?:(?: ,| §AND| , §AND) ${pair})*`),
    example: 'Replace "log in" by "sign in" on every page.',
    read: readReplacements,
  },
]

const kinds: Readonly<Record<string, UnitKind>> = {
  SECTION: 'section',
  LIST: 'item',
  TABLE: 'row',
  ITEM: 'item',
  ROW: 'row',
  PARA: 'paragraph',
  SENTENCE: 'sentence',
}

/** A line of a table is a row; any other may be a part of anything. */
function kindOf(token: string | undefined, rest: string): UnitKind | null {
  if (token === 'BLOCK') return rest.includes('§TABLE') ? 'row' : null
  return kinds[token ?? ''] ?? null
}

function editUnit(
  place: Clause['place'],
  name: string,
  {
    edit,
    how,
    past,
    kind,
    where = '',
  }: { edit: (text: string) => TextEdit; how: string; past: string; kind: string; where?: string },
): AgentProgram | null {
  // Their words alone do not say which page is meant.
  if (place === null || typeof place === 'string') return null
  return editPages({
    place,
    words: name,
    edit,
    title: `${how} the ${kind} “${name}”`,
    done: `${past} the ${kind} “${name}”${where} ${how === 'Move' ? 'on' : 'from'}`,
  })
}

/** Says how a heading is to be spelled. */
const spelling = /^(?:title|sentence|upper|lower|camel|kebab|snake)[ -]?case$/i

function readMovedUnit(
  names: (group: string) => string,
  { place, rest, verb, said }: Clause,
  groups: Groups,
): AgentProgram | null {
  const token = groups['kind'] ?? groups['kind2']
  // `Put the section …` is there, `put a section …` is to be written.
  if (verb === 'ADD' && (token === undefined || !/\b(?:put|place) the\b/i.test(said))) return null
  const kind = token === undefined ? null : kindOf(token, rest)
  const name = names(['name', 'name2', 'name3'].find((group) => groups[group] !== undefined) ?? '')
  const { how, edge } = groups
  const at: UnitPlace =
    how === undefined
      ? { at: edge === 'START' ? 'start' : 'end' }
      : { at: how === 'BEFORE' ? 'before' : 'after', name: names('other') }
  const where = 'name' in at ? ` ${at.at} “${at.name}”` : ` to the ${at.at}`
  return editUnit(place, name, {
    edit: (content) => moveUnit(content, kind, name, at),
    how: 'Move',
    past: 'Moved',
    kind: kind ?? 'part',
    where,
  })
}

const positions: Readonly<Record<string, number>> = {
  FIRST: 0,
  SECOND: 1,
  THIRD: 2,
  FOURTH: 3,
  FIFTH: 4,
  SIXTH: 5,
  LAST: -1,
}

function readNth(names: (group: string) => string, { place, rest }: Clause, groups: Groups): AgentProgram | null {
  const { nth = '' } = groups
  const kind = kindOf(groups['kind'], rest)
  const position = positions[nth]
  if (kind === null || position === undefined || place === null || typeof place === 'string') return null
  const named = ['in', 'in2', 'in3', 'in4'].find((each) => groups[each] !== undefined)
  const section = named === undefined ? null : names(named).replace(/ (?:list|table)$/i, '')
  const group = positions[groups['group'] ?? ''] ?? null
  const what = `${nth.toLowerCase()} ${kind}${section === null ? '' : ` of “${section}”`}`
  const edit: PageEdit['edit'] = (content) => removeNth(content, { kind, position, section, group })
  return editPages({ place, words: '', edit, title: `Remove the ${what}`, done: `Removed the ${what} from` })
}

/** `A by B, and C by D`. */
function readReplacements(_names: (group: string) => string, clause: Clause): AgentProgram | null {
  const programs = clause.rest.split(/ , §AND | §AND | , /).map((part) => {
    const { subject: named = '', from = '', to = '' } = onePair.exec(part)?.groups ?? {}
    // One word is a text only if it is called one.
    if (clause.verb !== 'REPLACE' && named === '' && !from.startsWith('⟦')) return null
    if (clause.verb === 'RENAME' && named === '' && clause.place === null) return null
    return readReplacement(readName(from, clause.values), readName(to, clause.values), clause)
  })
  return programs.includes(null) ? null : all(programs.filter((program) => program !== null))
}

/** Only on named pages, and only as they were written: reading clauses leaves words out. */
function readUnquoted(names: (group: string) => string, clause: Clause): AgentProgram | null {
  const [from, to] = [names('from'), names('to')]
  const isSaid = [from, to].every((part) => /\d|\s/.test(part) && clause.said.includes(part))
  return isSaid && clause.place !== null && typeof clause.place !== 'string' ? readReplacement(from, to, clause) : null
}

function readReplacement(from: string, to: string, { place }: Clause): AgentProgram | null {
  if (from.trim() === '') return null
  const scope = place === null ? 'pages' : typeof place === 'string' ? place : place.pages
  return replaceText({ from, to, scope })
}

function readEntry(
  names: (group: string) => string,
  { rest, place, verb }: Clause,
  groups: Groups,
): AgentProgram | null {
  const isAboutNavigation = rest.includes('§NAV')
  if (!isAboutNavigation || place !== null) return null
  const { group, after, before } = groups
  if (verb === 'MOVE' && (group ?? after ?? before) === undefined) return null
  return changeEntry(verb === 'MOVE' ? 'move' : 'add', names('page'), {
    ...(group !== undefined && { group: names('group') }),
    ...(after !== undefined && { after: names('after') }),
    ...(before !== undefined && { before: names('before') }),
  })
}

function readField(names: (group: string) => string, clause: Clause, groups: Groups): AgentProgram | null {
  const { known, other_known: otherKnown, page: named, owner } = groups
  const field = known ?? otherKnown ?? names(groups['field'] === undefined ? 'other_field' : 'field')
  const value = names(groups['value'] === undefined ? 'otherValue' : 'value')
  const { place } = clause
  const pages =
    named !== undefined
      ? [names('page')]
      : owner !== undefined
        ? [names('owner')]
        : place !== null && typeof place !== 'string'
          ? place.pages
          : []
  if (pages.length === 0 || !/^[\p{L}][\w-]*$/u.test(field)) return null
  // A single word without quotes might be a word of the instruction.
  const written = groups['value'] ?? groups['otherValue'] ?? ''
  if (!written.startsWith('⟦') && !/^(?:true|false|\d+)$/.test(value)) return null
  return setFrontmatter({ pages, field, value })
}

function readPair(names: (group: string) => string, { place }: Clause): AgentProgram | null {
  const [, field, value] = /^([\p{L}][\w-]*):\s+(\S.*)$/u.exec(names('pair')) ?? []
  if (field === undefined || value === undefined || place === null || typeof place === 'string') return null
  return setFrontmatter({ pages: place.pages, field, value: value.replace(/^(["'])(.*)\1$/, '$2') })
}

/** Names of files have neither spaces nor capitals at their beginning. */
const isTitle = (name: string) => /\s|^\p{Lu}[^/.]*$/u.test(name)

function readMove(
  names: (group: string) => string,
  { verb, place, values, said }: Clause,
  groups: Groups,
): AgentProgram | null {
  const { from = '', to = '' } = groups
  const folder = groups['folder'] ?? groups['folder2']
  const isPage = !from.startsWith('⟦') && (verb !== 'CHANGE' || from.includes('§PAGE'))
  // Quoted names are pages where they look like paths.
  if (!isPage && !/[/.]/.test(readName(from, values))) return null
  // Names with a capital are titles.
  const isTitled =
    /\s/.test(readName(to, values)) ||
    (folder === undefined && verb === 'RENAME' && to.startsWith('⟦') && /^\p{Lu}[^/.]*$/u.test(readName(to, values)))
  if (place !== null || isTitled) return null
  // A group of the navigation is no folder.
  if (folder !== undefined && /\b(?:group|category|gruppe|kategorie|groupe|catégorie|grupo|categoría)\b/iu.test(said))
    return changeEntry('move', names('from'), { group: names('to') })
  return movePage(names('from'), folder === undefined ? names('to') : `${names('to')}/`, verb !== 'MOVE')
}

function readAddedPage(names: (group: string) => string, { place }: Clause, groups: Groups): AgentProgram | null {
  const at = place !== null && typeof place !== 'string' && place.pages.length === 1 ? place.pages[0] : undefined
  const { file, title } = groups
  // A file is a new page if its name says so; anything else is a text for one.
  if (file !== undefined && !/\.mdx?$/i.test(names('file'))) return null
  const name = groups['name'] ?? file
  if (at === undefined && name === undefined) return null
  // With a place as well, the name is the title: `a page "Questions" at guides/new`.
  const isTitle = at !== undefined && name !== undefined
  // A single word may be a folder as well as a page.
  if (isTitle && (title !== undefined || !/[/.]/.test(at))) return null
  const path = at ?? names(file === undefined ? 'name' : 'file')
  if (/\s/.test(path)) return null
  return addPage(path, title !== undefined ? names('title') : isTitle ? names('name') : null, names('body'))
}

function readAddedSection(names: (group: string) => string, clause: Clause, groups: Groups): AgentProgram | null {
  const heading = names(groups['bare'] === undefined ? 'heading' : 'bare')
  const block = groups['body'] === undefined ? `## ${heading}` : `## ${heading}\n\n${names('body')}`
  const { where1, where2, where3 } = groups
  return addBlock(block, where1 ?? where2 ?? where3, clause, { what: `section “${heading}”` })
}

function readAddedText(names: (group: string) => string, clause: Clause, groups: Groups): AgentProgram | null {
  const { where1, where2, where3 } = groups
  const body = names('body')
  const isItem =
    /(?:^| )§ITEM (?:§(?:SAYING|CONTENT) )?⟦/.test(clause.rest) && !/§(?:AFTER|BEFORE) §ITEM/.test(clause.rest)
  return body.trim() === '' ? null : addBlock(body, where1 ?? where2 ?? where3, clause, { what: 'given text', isItem })
}

function addBlock(
  block: string,
  where: string | undefined,
  { place, values }: Clause,
  { what, isItem = false }: { what: string; isItem?: boolean },
): AgentProgram | null {
  const found = readBlockPlace(where, values)
  const at = found !== null && 'text' in found ? { ...found, isItem } : found
  // Elsewhere, the list that it belongs to is not named.
  if (isItem && at !== null && !('text' in at)) return null
  const named = at === null ? '' : 'heading' in at ? at.heading : 'text' in at ? at.text : ''
  if (at === null || (place === null && named === '')) return null
  const edit: PageEdit['edit'] = (content) => insertBlock(content, block, at)
  return editPages({ place, words: named, edit, title: `Add the ${what}`, done: `Added the ${what} to` })
}

const placePattern = new RegExp(
  `^§(?<how>END|START|AFTER|BEFORE|UNDER|IN|TO)(?: §IN)?(?: §FROM)?(?: §(?<what>HEADING|SECTION|${piece}))?(?: (?<name>${heading}))?(?<section> §SECTION)?$`,
  'u',
)

/** @param where Words such as `§AFTER §HEADING ⟦1⟧`; the end of the page if there are none. */
function readBlockPlace(where: string | undefined, values: readonly string[]): BlockPlace | null {
  if (where === undefined) return { at: 'end' }
  const { how, what, name, section } = placePattern.exec(where.trim())?.groups ?? {}
  if (how === undefined) return null
  // Of texts, only quotes say where they end.
  const isHeading = section !== undefined || (what === undefined && name?.startsWith('⟦') === false)
  const noun = isHeading ? 'SECTION' : what
  if (name === undefined)
    return noun === undefined && (how === 'END' || how === 'START') ? { at: how === 'END' ? 'end' : 'start' } : null
  const named = readName(name, values)
  if (noun !== undefined && noun !== 'HEADING' && noun !== 'SECTION') {
    return how === 'AFTER' || how === 'BEFORE'
      ? { at: how === 'AFTER' ? 'after-text' : 'before-text', text: named }
      : null
  }
  if (noun === undefined && how !== 'UNDER') {
    return how === 'AFTER' || how === 'BEFORE'
      ? { at: how === 'AFTER' ? 'after-text' : 'before-text', text: named }
      : null
  }
  if (how === 'BEFORE') return { at: 'before-heading', heading: named }
  if (how === 'AFTER') return { at: noun === 'SECTION' ? 'after-section' : 'after-heading', heading: named }
  if (how === 'START') return { at: 'after-heading', heading: named }
  return { at: 'under-heading', heading: named }
}

/** One program after the other, as one. */
function* all(programs: readonly AgentProgram[]): AgentProgram {
  const ends = []
  for (const program of programs) ends.push(yield* program)
  return {
    title: ends.map(({ title }) => title).join('; '),
    summary: ends.map(({ summary }) => summary).join(' '),
  }
}
