import { changeRules, type SiteRule, siteRules } from '../../src/content/finding-rules.ts'
import { escapeMdx, fillTable, writeTable } from './mdx-text.ts'

/** Rules of the comparison with the source, which a guide explains. */
const selfCheckRules: readonly SiteRule[] = ['page-words-lost', 'anchor-dead', 'addresses-differ']

/** Fills the table of everything that can be wrong with the source of a site. */
export function fillSiteRules(page: string): string {
  return fillSiteTable(page, Object.keys(siteRules) as SiteRule[])
}

/** Fills the table of what the comparison with the source finds. */
export function fillSelfCheckRules(page: string): string {
  return fillSiteTable(page, selfCheckRules)
}

/** Fills the table of what only changes can do wrong. */
export function fillChangeRules(page: string): string {
  const rows = Object.entries(changeRules).map(([rule, { meaning, effect }]) => writeRow(rule, meaning, effect))
  return fillTable(page, 'Rule', writeTable(['Rule', 'What it finds', 'Effect'], rows))
}

function fillSiteTable(page: string, rules: readonly SiteRule[]): string {
  const rows = rules.map((rule) => writeRow(rule, siteRules[rule].meaning))
  return fillTable(page, 'Rule', writeTable(['Rule', 'What is wrong'], rows))
}

function writeRow(rule: string, meaning: string, ...more: readonly string[]): string[] {
  return [`\`${rule}\``, escapeMdx(meaning), ...more]
}
