import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ArrowLeft, Hammer, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { GapResource } from '../../../../src/contract/insights.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useMay, useSession } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { siteWord } from '../../shell/places.ts'
import { Loaded } from '../../shell/loaded.tsx'
import { GapJob } from './gap-job.tsx'
import { gapStates } from './gap-words.ts'
import classes from './insights-page.module.css'
import { describeVerdict } from './question-words.ts'
import { RetriedList } from './retried-list.tsx'
import { StartJobDialog } from './start-job-dialog.tsx'
import { useInsightsSearch } from './use-insights.ts'
import { insightOperations } from '../../../../src/contract/operations/insights.ts'
import { call, queryOf } from '../../api/call.ts'
import { say } from '../../../words/say.ts'

/** Polling interval while the worker may re-ask the questions. */
const draftedPollMs = 4_000

/** Five questions are re-asked, possibly by a slow model. */
const retryTimeLimitMs = 190_000

const gapQuery = (id: string) => queryOf(insightOperations.getGap, { params: { id } })

/** A gap: its questions, the pages tried, and its state. */
export function GapView({ id, sites }: { id: string; sites: readonly SiteResource[] }) {
  const gap = useQuery({
    ...gapQuery(id),
    refetchInterval: ({ state }) => (state.data?.state === 'drafted' ? draftedPollMs : false),
  })
  const { change } = useInsightsSearch()
  return (
    <>
      <div>
        <Button look="quiet" onClick={() => change({ gap: undefined }, true)}>
          <ArrowLeft size={16} aria-hidden /> {say('All gaps')}
        </Button>
      </div>
      <Loaded query={gap}>
        {(gap) => <GapDetails gap={gap} site={sites.find(({ id }) => id === gap.siteId) ?? null} />}
      </Loaded>
    </>
  )
}

function GapDetails({ gap, site }: { gap: GapResource; site: SiteResource | null }) {
  const { tone, label } = gapStates[gap.state]
  return (
    <>
      <Section title={say('Gap: {name}', { name: gap.name })} action={<GapActions gap={gap} />}>
        <Card aria-label={say('Facts')}>
          <Facts
            facts={[
              [
                say('State'),
                <Badge key="state" tone={tone}>
                  {label}
                </Badge>,
              ],
              [say('Site'), site?.name ?? '–'],
              [say('Questions'), describeCounts(gap)],
              [say('First asked'), <TimeText key="first" time={gap.firstAskedAt} />],
              [say('Last asked'), <TimeText key="last" time={gap.lastAskedAt} />],
              ...(gap.failure === null ? [] : [[say('Not closed'), gap.failure] as const]),
              ...(gap.commit === null
                ? []
                : [[say('Fixed at commit'), <code key="commit">{gap.commit.slice(0, 12)}</code>] as const]),
              [say('Pages tried'), <TriedPages key="pages" gap={gap} />],
            ]}
          />
          {gap.jobId === null ? null : <GapJob jobId={gap.jobId} />}
        </Card>
      </Section>
      {gap.retried.length === 0 ? null : <RetriedList retried={gap.retried} />}
      <Section
        title={say('Questions')}
        description={gap.count > gap.questions.length ? say('The latest ones.') : undefined}
      >
        <ul className={classes.stack}>
          {[...Map.groupBy(gap.questions, ({ question }) => question)].map(([question, [newest, ...others]]) => (
            <li key={question}>
              {question} {newest === undefined ? null : <VerdictBadge verdict={newest.verdict} />}
              {others.length === 0 ? null : (
                <span className={classes.muted}> {say('{count} times', { count: others.length + 1 })}</span>
              )}
              {site === null ? null : <MakeTest site={site} question={question} />}
            </li>
          ))}
        </ul>
      </Section>
    </>
  )
}

function VerdictBadge({ verdict }: Pick<GapResource['questions'][number], 'verdict'>) {
  const { tone, label } = describeVerdict(verdict)
  return <Badge tone={tone}>{label}</Badge>
}

function MakeTest({ site, question }: { site: SiteResource; question: string }) {
  const { organization } = useSession()
  const params = { organization: organization.id, domain: siteWord(site) }
  return (
    <>
      {' '}
      <Link to="/$organization/$domain/tests" params={params} search={{ question }}>
        {say('Make a test')}
      </Link>
    </>
  )
}

function describeCounts({ count, unanswered, unhelpful }: GapResource): string {
  return say('{count}, {unanswered} unanswered, {unhelpful} rated unhelpful', { count, unanswered, unhelpful })
}

function TriedPages({ gap }: { gap: GapResource }) {
  if (gap.pagesTried.length === 0) return say('none')
  return (
    <ul className={classes.stack}>
      {gap.pagesTried.map(({ path, count }) => (
        <li key={path}>
          <code>{path}</code>{' '}
          <span className={classes.muted}>{count === 1 ? say('once') : say('{count} times', { count })}</span>
        </li>
      ))}
    </ul>
  )
}

function GapActions({ gap }: { gap: GapResource }) {
  const mayEdit = useMay('editor')
  const [isDrafting, setDrafting] = useState(false)
  const client = useQueryClient()
  const keep = (gap: GapResource) => {
    client.setQueryData(gapQuery(gap.id).queryKey, gap)
    return client.invalidateQueries({ queryKey: ['listGaps'] })
  }
  const params = { id: gap.id }
  const next = gap.state === 'fixed' ? 'open' : 'fixed'
  const retry = useChange({
    send: () => call(insightOperations.retryGap, { params, timeLimitMs: retryTimeLimitMs }),
    onDone: keep,
    hasFailureToast: true,
  })
  const mark = useChange({
    send: () => call(insightOperations.updateGap, { params, body: { state: next } }),
    done: next === 'open' ? say('Gap reopened.') : say('Marked as fixed.'),
    undo: () => async () => keep(await call(insightOperations.updateGap, { params, body: { state: gap.state } })),
    onDone: keep,
    hasFailureToast: true,
  })
  if (!mayEdit) return null
  return (
    <div className={classes.actions}>
      <Button isBusy={mark.isPending} onClick={() => mark.mutate()}>
        {next === 'open' ? say('Reopen') : say('Mark as fixed')}
      </Button>
      <Button isBusy={retry.isPending} onClick={() => retry.mutate()}>
        <RotateCcw size={16} aria-hidden /> {say('Ask again')}
      </Button>
      <Button look="primary" onClick={() => setDrafting(true)}>
        <Hammer size={16} aria-hidden /> {say('Draft job')}
      </Button>
      <StartJobDialog gap={gap} isOpen={isDrafting} onClose={() => setDrafting(false)} onStarted={keep} />
    </div>
  )
}
