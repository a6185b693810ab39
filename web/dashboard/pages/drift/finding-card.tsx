import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { discrepancyOperations } from '../../../../src/contract/operations/discrepancies.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { call } from '../../api/call.ts'
import { useMay, useSession } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { CodeText } from '../../shell/code-text.tsx'
import classes from './drift-page.module.css'
import type { Finding } from './drift-page.tsx'
import { sayStored } from '../../shell/say-stored.ts'
import { say, sayParts } from '../../../words/say.ts'

const linesMax = 5
const stale = ['listDiscrepancies', 'listAllDiscrepancies', 'listJobs'] as const

/** What is wrong, where, since when, and what to do about it. */
export function FindingCard({ finding }: { finding: Finding }) {
  const { title, places, facts, advice, replacement, isCertain } = finding
  const more = places.length - linesMax
  return (
    <Card className={classes.finding}>
      <header className={classes.head}>
        <h3>
          <CodeText text={sayStored(title)} />
        </h3>
        <Badge tone={isCertain ? 'danger' : 'warning'}>{isCertain ? say('Certain') : say('Likely')}</Badge>
      </header>
      <ul className={classes.lines}>
        {places.slice(0, linesMax).map(({ file, line, text, url }) => (
          <li key={`${file} ${line}`}>
            <MaybeLink url={url}>
              {file === finding.page ? say('line {line}', { line }) : say('{file}, line {line}', { file, line })}
            </MaybeLink>
            <code>{text}</code>
          </li>
        ))}
        {more > 0 ? <li>{say('… and {more} more', { more })}</li> : null}
      </ul>
      <dl className={classes.facts}>
        {facts.map((fact) => (
          <Fact key={`${fact.label} ${fact.file} ${fact.line}`} {...fact} />
        ))}
      </dl>
      <p>
        {replacement === null ? (
          <CodeText text={sayStored(advice)} />
        ) : (
          sayParts('Replace {from} with {to}.', {
            from: <del className={classes.old}>{replacement.from}</del>,
            to: <ins className={classes.new}>{replacement.to}</ins>,
          })
        )}
      </p>
      <Actions finding={finding} />
    </Card>
  )
}

function Fact({ label, value, repository, commit, file, line, url }: Finding['facts'][number]) {
  return (
    <>
      <dt>{sayStored(label)}</dt>
      <dd>
        {value === null ? null : <code>{value}</code>}
        {file === null ? null : (
          <MaybeLink url={url}>
            {repository === null ? '' : `@${repository}/`}
            {file}
            {line === null ? '' : `:${line}`}
          </MaybeLink>
        )}
        {commit === null ? null : <span className={classes.commit}>{commit.slice(0, 10)}</span>}
      </dd>
    </>
  )
}

function MaybeLink({ url, children }: { url: string | null | undefined; children: ReactNode }) {
  return url ? <ExternalLink href={url}>{children}</ExternalLink> : <span>{children}</span>
}

function Actions({ finding: { id, state, jobId, replacement } }: { finding: Finding }) {
  const mayEdit = useMay('editor')
  const { organization } = useSession()
  const params = { id }
  const mark = (state: 'open' | 'ignored') => call(discrepancyOperations.updateDiscrepancy, { params, body: { state } })
  const change = useChange({
    send: () => mark(state === 'ignored' ? 'open' : 'ignored'),
    undo: () => () => mark(state === 'ignored' ? 'ignored' : 'open'),
    stale,
    hasFailureToast: true,
    done: state === 'ignored' ? say('Open again.') : say('Ignored.'),
  })
  const fix = useChange({
    send: () => call(discrepancyOperations.createDiscrepancyJob, { params }),
    stale,
    hasFailureToast: true,
    done: say('Job started.'),
  })
  return (
    <div className={classes.actions}>
      {mayEdit && state === 'open' ? (
        <Button
          size="small"
          look={jobId === null ? 'primary' : 'secondary'}
          isBusy={fix.isPending}
          onClick={() => fix.mutate()}
        >
          {jobId === null ? say('Fix') : say('Fix again')}
        </Button>
      ) : null}
      {mayEdit ? (
        <Button size="small" isBusy={change.isPending} onClick={() => change.mutate()}>
          {state === 'ignored' ? say('Open again') : say('Ignore')}
        </Button>
      ) : null}
      {jobId === null ? (
        <span className={classes.muted}>{replacement === null ? say('Needs a model.') : say('Needs no model.')}</span>
      ) : (
        <Link to="/$organization/jobs/$jobId" params={{ organization: organization.id, jobId }}>
          {say('Open the job')}
        </Link>
      )}
    </div>
  )
}
