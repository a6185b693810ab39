import { Link } from '@tanstack/react-router'
import {
  Activity,
  AlarmClock,
  Book,
  Bot,
  ChartColumn,
  CircleCheck,
  FileWarning,
  GitPullRequest,
  KeyRound,
  Mail,
  MessageCircleQuestion,
  RefreshCw,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import type { Need, NeedKind } from '../../../../src/contract/home.ts'
import { Button, buttonLook, IconButton } from '../../../ui/button.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { joinClasses } from '../../../ui/join-classes.ts'
import { Section } from '../../../ui/section.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { showToast } from '../../../ui/toasts.tsx'
import { useSession } from '../../api/session.ts'
import { siteWord } from '../../shell/places.ts'
import { SiteMark } from '../../shell/site-mark.tsx'
import classes from './need-list.module.css'
import { useSnoozed } from './use-snoozed.ts'
import { say, sayCount, sayMessages } from '../../../words/say.ts'

type Icon = typeof Activity

/** What settles a need: words for the button, and the page below the organization where it is settled. */
interface Settling {
  icon: Icon
  action: string
  to: (word: string | null, need: Need) => string
}

const ofSite = (page: string) => (word: string | null) => (word === null ? '' : `/${word}${page}`)

const settlings: Record<NeedKind, Settling> = {
  service: { icon: Activity, action: say('See operations'), to: () => '/operations' },
  model: { icon: Activity, action: say('Check the model'), to: () => '/settings' },
  sync: { icon: RefreshCw, action: say('See the sync'), to: ofSite('') },
  confirmation: { icon: Book, action: say('Try the links'), to: ofSite('') },
  spending: { icon: ChartColumn, action: say('Change the ceiling'), to: ofSite('/settings') },
  key: { icon: KeyRound, action: say('See keys'), to: () => '/keys' },
  digest: { icon: Mail, action: say('See the recipients'), to: ofSite('/settings') },
  job: { icon: Bot, action: say('See the job'), to: (_word, { subjectId }) => `/jobs/${subjectId ?? ''}` },
  'pull-request': { icon: GitPullRequest, action: say('Review'), to: () => '/pull-requests' },
  discrepancies: { icon: FileWarning, action: say('See them'), to: ofSite('/drift') },
  questions: { icon: MessageCircleQuestion, action: say('See gaps'), to: ofSite('/insights?view=gaps') },
}

/** More are shown on request: nobody settles them all at once. */
const shownMax = 8

interface NeedListProps {
  needs: readonly Need[]
  sites: readonly SiteResource[]
  /** On the page of a site, which need not be named. */
  isOfSite?: boolean
}

/** What needs attention, worst first, each with the one action that settles it. */
export function NeedList({ needs: all, sites, isOfSite = false }: NeedListProps) {
  const { isSnoozed, snooze, wake } = useSnoozed()
  const needs = all.filter(({ id }) => !isSnoozed(id))
  const snoozed = all.length - needs.length
  const named = new Map(sites.map((site) => [site.id, site]))
  const row = (need: Need, index: number) => (
    <NeedRow
      key={need.id}
      need={need}
      site={named.get(need.siteId ?? '') ?? null}
      isFirst={index === 0 && need.tone !== 'notice'}
      onSnooze={() => {
        snooze(need.id)
        showToast({ title: say('Snoozed until tomorrow.'), onUndo: () => wake(need.id) })
      }}
    />
  )
  return (
    <Section
      title={say('Needs you')}
      {...(needs.length > 0 && { description: sayCount(needs.length, '{count} thing', '{count} things') })}
      action={
        snoozed === 0 ? null : (
          <Button size="small" look="quiet" onClick={() => wake()}>
            {say('Show {snoozed} snoozed', { snoozed })}
          </Button>
        )
      }
    >
      {needs.length === 0 ? (
        <EmptyState icon={<CircleCheck aria-hidden />} title={say('Nothing needs you')}>
          {say(
            'Failed syncs, limits about to run out, waiting pull requests and unanswered questions will appear here.',
          )}
        </EmptyState>
      ) : (
        <ul className={joinClasses(classes.needs, isOfSite && classes.ofSite)}>{needs.slice(0, shownMax).map(row)}</ul>
      )}
      {needs.length > shownMax ? (
        <details className={classes.more}>
          <summary>{sayCount(needs.length - shownMax, '{count} more thing', '{count} more things')}</summary>
          <ul className={joinClasses(classes.needs, isOfSite && classes.ofSite)}>
            {needs.slice(shownMax).map((need) => row(need, shownMax))}
          </ul>
        </details>
      ) : null}
    </Section>
  )
}

interface NeedRowProps {
  need: Need
  site: SiteResource | null
  isFirst: boolean
  onSnooze(): void
}

function NeedRow({ need, site, isFirst, onSnooze }: NeedRowProps) {
  const { icon: Icon } = settlings[need.kind]
  const title = sayMessages([need.titleMessage], need.title)
  return (
    <li className={classes.need} data-row tabIndex={-1}>
      <Icon size={16} className={joinClasses(classes.icon, classes[need.tone])} aria-hidden />
      <div className={classes.text}>
        <h3 className={classes.title}>{title}</h3>
        {need.detail === '' ? null : <p className={classes.detail}>{sayMessages(need.detailMessages, need.detail)}</p>}
      </div>
      <span className={classes.site}>
        {site === null ? null : <SiteMark site={site} />} {site?.name ?? say('All sites')}
      </span>
      <span className={classes.since}>{need.since === null ? null : <TimeText time={need.since} />}</span>
      <SettleLink need={need} site={site} look={isFirst ? 'primary' : 'secondary'} />
      <IconButton
        size="small"
        className={classes.snooze}
        label={say('Snooze until tomorrow: {title}', { title })}
        onClick={onSnooze}
      >
        <AlarmClock size={15} aria-hidden />
      </IconButton>
    </li>
  )
}

function SettleLink({
  need,
  site,
  look,
}: {
  need: Need
  site: SiteResource | null
  look: 'primary' | 'secondary'
}): ReactNode {
  const { organization } = useSession()
  const { action, to } = settlings[need.kind]
  const className = joinClasses(buttonLook(look), classes.action)
  const name = `${action}: ${sayMessages([need.titleMessage], need.title)}`
  if (need.url !== null) {
    return (
      <a className={className} href={need.url} aria-label={name} data-row-link>
        {action}
      </a>
    )
  }
  const [path = '', search = ''] = to(site === null ? null : siteWord(site), need).split('?')
  return (
    <Link
      className={className}
      to={`/${organization.id}${path}` as '/'} // One of the pages that the table above names.
      search={Object.fromEntries(new URLSearchParams(search)) as never} // As the page reads it from its address.
      aria-label={name}
      data-row-link
    >
      {action}
    </Link>
  )
}
