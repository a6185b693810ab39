import type { InsightsSummary } from '../../../../src/contract/insights.ts'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { Meter } from '../../../ui/meter.tsx'
import { Section } from '../../../ui/section.tsx'
import classes from './insights-page.module.css'
import type { InsightsSearch } from './insights-search.ts'
import { describeCaller, describeVerdict, callers, verdicts } from './question-words.ts'
import { useInsightsSearch } from './use-insights.ts'
import { language } from '../../../words/language.ts'
import { say } from '../../../words/say.ts'

type Group = InsightsSummary['byCaller'][number]

/** Question counts by verdict, channel, version and page. Each row leads to its questions. */
export function Breakdowns({ summary }: { summary: InsightsSummary }) {
  const { byVerdict, byCaller, byVersion, total } = summary
  const hasVersions = byVersion.some(({ value }) => value !== null)
  return (
    <>
      <Pages summary={summary} />
      <div className={classes.pair}>
        <Groups
          title={say('By answer')}
          groups={byVerdict}
          total={total.questions}
          nameOf={({ value }) => describeVerdict(value).label}
          searchOf={({ value }) => ({ verdict: verdicts.find((verdict) => verdict === value) })}
        />
        <Groups
          title={say('By channel')}
          groups={byCaller}
          total={total.questions}
          nameOf={({ value }) => describeCaller(value)}
          searchOf={({ value }) => ({ caller: callers.find((caller) => caller === value) })}
        />
        {hasVersions ? (
          <Groups
            title={say('By version')}
            groups={byVersion}
            total={total.questions}
            nameOf={({ value }) => value ?? say('No version')}
            searchOf={({ value }) => ({ version: value ?? undefined })}
          />
        ) : null}
      </div>
    </>
  )
}

type Narrowed = { [Name in keyof InsightsSearch]?: InsightsSearch[Name] | undefined }

interface GroupsProps {
  title: string
  groups: readonly Group[]
  total: number
  nameOf(group: Group): string
  /** Filter for the group; undefined values do not filter. */
  searchOf(group: Group): Narrowed
}

function Groups({ title, groups, total, nameOf, searchOf }: GroupsProps) {
  const columns: [Column<Group>, ...Column<Group>[]] = [
    {
      title: say('Name'),
      sortBy: nameOf,
      render: (group) => <Follow search={searchOf(group)}>{nameOf(group)}</Follow>,
    },
    {
      title: say('Questions'),
      sortBy: ({ questions }) => questions,
      render: (group) => (
        <Meter
          label={say('Questions: {group}', { group: nameOf(group) })}
          value={group.questions}
          max={total}
          isPlain
        />
      ),
    },
    {
      title: say('Helpful'),
      sortBy: ({ helpful }) => helpful,
      align: 'end',
      render: ({ helpful }) => helpful.toLocaleString(language),
    },
    {
      title: say('Not helpful'),
      sortBy: ({ unhelpful }) => unhelpful,
      align: 'end',
      render: ({ unhelpful }) => unhelpful.toLocaleString(language),
    },
  ]
  return (
    <Section title={title}>
      <DataTable caption={title} columns={columns} rows={groups} keyOf={({ value }) => value ?? ''} isCompact />
    </Section>
  )
}

/** Further ones are a page of the table away, so that what is below stays in sight. */
const pagesShown = 8

type Cited = InsightsSummary['byPage'][number]

function Pages({ summary: { byPage, total } }: { summary: InsightsSummary }) {
  const columns: [Column<Cited>, ...Column<Cited>[]] = [
    {
      title: say('Page'),
      sortBy: ({ title, url }) => title || url,
      render: ({ url, title }) => (
        <div className={classes.stack}>
          <Follow search={isFilter(url) ? { page: url } : {}}>{title === '' ? url : title}</Follow>
          <span className={classes.muted}>{url}</span>
        </div>
      ),
    },
    {
      title: say('Questions'),
      sortBy: ({ questions }) => questions,
      render: ({ url, questions }) => (
        <Meter label={say('Questions: {url}', { url })} value={questions} max={total.questions} isPlain />
      ),
    },
  ]
  if (byPage.length === 0) return null
  return (
    <Section title={say('Most cited pages')} description={say('Based on the latest 5,000 answers.')}>
      <DataTable
        caption={say('Most cited pages')}
        columns={columns}
        rows={byPage}
        keyOf={({ url }) => url}
        rowsOfPage={pagesShown}
      />
    </Section>
  )
}

/** What the service accepts as a page filter. */
function isFilter(url: string): boolean {
  return /^(?:\/|https?:)/.test(url)
}

function Follow({ search, children }: { search: Narrowed; children: string }) {
  const { change } = useInsightsSearch()
  if (Object.values(search).every((value) => value === undefined)) return children
  return (
    <Button look="quiet" className={classes.follow} onClick={() => change({ ...search, view: 'questions' }, true)}>
      {children}
    </Button>
  )
}
