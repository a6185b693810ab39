import { type FormEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { siteWord } from '../../shell/places.ts'
import classes from './insights-page.module.css'
import { type InsightsSearch, type InsightsView, periods, readDays } from './insights-search.ts'
import {
  callers,
  describeCaller,
  describeFeedback,
  describeVerdict,
  feedbackStates,
  verdicts,
} from './question-words.ts'
import { type InsightsScope, useInsightsSearch } from './use-insights.ts'

const any = { value: '', label: 'Any' }
const verdictOptions = [any, ...verdicts.map((value) => ({ value, label: describeVerdict(value).label }))]
const feedbackOptions = [any, ...feedbackStates.map((value) => ({ value, label: describeFeedback(value).label }))]
const callerOptions = [any, ...callers.map((value) => ({ value, label: describeCaller(value) }))]
const periodOptions = periods.map((days) => ({
  value: String(days),
  label: days === 1 ? 'Last 24 hours' : `Last ${days} days`,
}))

/** Filters of the views. Gaps always cover one site and 90 days. */
export function InsightsFilters({ scope, view }: { scope: InsightsScope; view: InsightsView }) {
  const { search, change } = useInsightsSearch()
  if (view === 'gaps') return search.gap === undefined ? <SiteChoice scope={scope} mayBeAll={false} /> : null
  return (
    <div className={classes.filters} role="group" aria-label="Filters">
      <SiteChoice scope={scope} mayBeAll />
      <SelectField
        label="Period"
        value={String(readDays(search))}
        options={periodOptions}
        onValueChange={(days) => change({ days: Number(days) })}
      />
      {view === 'agents' ? null : <QuestionFilters />}
    </div>
  )
}

function QuestionFilters() {
  const { search, change } = useInsightsSearch()
  // The service validates values; an empty one is no filter.
  const choose = (name: keyof InsightsSearch) => (value: string) => change({ [name]: value === '' ? undefined : value })
  return (
    <>
      <SelectField
        label="Answer"
        value={search.verdict ?? ''}
        options={verdictOptions}
        onValueChange={choose('verdict')}
      />
      <SelectField
        label="Feedback"
        value={search.feedback ?? ''}
        options={feedbackOptions}
        onValueChange={choose('feedback')}
      />
      <SelectField
        label="Channel"
        value={search.caller ?? ''}
        options={callerOptions}
        onValueChange={choose('caller')}
      />
      <TextFilters key={`${search.search} ${search.page} ${search.version}`} search={search} />
    </>
  )
}

function SiteChoice({ scope, mayBeAll }: { scope: InsightsScope; mayBeAll: boolean }) {
  const { search, change } = useInsightsSearch()
  const { isSitePage, sites } = scope
  if (isSitePage || sites.length === 0) return null
  const options = sites.map((site) => ({ value: siteWord(site), label: site.name }))
  return (
    <div className={classes.site}>
      <SelectField
        label="Site"
        value={search.site ?? (mayBeAll ? '' : (options[0]?.value ?? ''))}
        options={mayBeAll ? [{ value: '', label: 'All sites' }, ...options] : options}
        onValueChange={(site) => change({ site: site === '' ? undefined : site, gap: undefined })}
      />
    </div>
  )
}

/** Applied on submit, so that typing sends no requests. */
function TextFilters({ search }: { search: InsightsSearch }) {
  const { change } = useInsightsSearch()
  const [text, setText] = useState(search.search ?? '')
  const [page, setPage] = useState(search.page ?? '')
  const [version, setVersion] = useState(search.version ?? '')
  const send = (event: FormEvent) => {
    event.preventDefault()
    const read = (value: string) => value.trim() || undefined
    change({ search: read(text), page: read(page), version: read(version) })
  }
  const isNarrowed = Boolean(search.search ?? search.page ?? search.version)
  return (
    <form className={classes.texts} onSubmit={send}>
      <TextField label="Question contains" type="search" maxLength={200} value={text} onValueChange={setText} />
      <TextField
        label="Cites page"
        placeholder="/guides/install"
        maxLength={1_000}
        value={page}
        onValueChange={setPage}
      />
      <TextField label="Version" maxLength={200} value={version} onValueChange={setVersion} />
      <div className={classes.actions}>
        <Button type="submit">Apply</Button>
        {isNarrowed ? (
          <Button look="quiet" onClick={() => change({ search: undefined, page: undefined, version: undefined })}>
            Clear
          </Button>
        ) : null}
      </div>
    </form>
  )
}
