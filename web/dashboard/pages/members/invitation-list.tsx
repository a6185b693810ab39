import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { InvitationResource } from '../../../../src/contract/accounts.ts'
import { Badge, type Tone } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import { type Column, DataTable } from '../../../ui/data-table.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useCursorPages } from '../../api/cursor-pages.ts'
import { invitationsQuery, revokeInvitation } from '../../api/members.ts'
import { useChange } from '../../forms/use-change.ts'
import { Loaded } from '../../shell/loaded.tsx'
import classes from './members-page.module.css'

const states: Readonly<Record<InvitationResource['state'], { tone: Tone; label: string }>> = {
  open: { tone: 'accent', label: 'Open' },
  used: { tone: 'success', label: 'Used' },
  revoked: { tone: 'neutral', label: 'Withdrawn' },
  expired: { tone: 'warning', label: 'Expired' },
}

export function InvitationList() {
  const { cursor, toTablePages } = useCursorPages()
  const invitations = useQuery({ ...invitationsQuery(cursor), placeholderData: keepPreviousData })
  const revoke = useChange({ send: revokeInvitation, stale: ['invitations'], hasFailureToast: true })
  return (
    <Loaded query={invitations}>
      {({ items, nextCursor }) =>
        items.length === 0 && cursor === null ? null : (
          <section aria-labelledby="invitations" className={classes.section}>
            <h2 id="invitations" className={classes.heading}>
              Invitations
            </h2>
            <DataTable
              caption="Invitations"
              columns={listColumns(revoke.mutate)}
              rows={items}
              keyOf={({ id }) => id}
              pages={toTablePages(nextCursor)}
              isDimmed={({ state }) => state !== 'open'}
            />
          </section>
        )
      }
    </Loaded>
  )
}

function listColumns(onRevoke: (id: string) => void): [Column<InvitationResource>, ...Column<InvitationResource>[]] {
  return [
    { title: 'For', render: ({ email }) => email ?? 'whoever has the link' },
    { title: 'Role', render: ({ role }) => role },
    { title: 'By', render: ({ invitedBy }) => invitedBy },
    { title: 'Expires', render: ({ expiresAt }) => <TimeText time={expiresAt} /> },
    { title: 'State', render: ({ state }) => <Badge tone={states[state].tone}>{states[state].label}</Badge> },
    {
      title: 'Actions',
      isTitleHidden: true,
      align: 'end',
      render: ({ id, state, email }) =>
        state === 'open' ? (
          <Button
            size="small"
            aria-label={`Withdraw the invitation ${email === null ? '' : `of ${email}`}`}
            onClick={() => onRevoke(id)}
          >
            Withdraw
          </Button>
        ) : null,
    },
  ]
}
