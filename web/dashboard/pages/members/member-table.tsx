import { Ellipsis, UserMinus } from 'lucide-react'
import type { MemberResource, Role } from '../../../../src/contract/accounts.ts'
import { Badge } from '../../../ui/badge.tsx'
import { IconButton } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Menu, MenuChoices, MenuItem } from '../../../ui/menu.tsx'
import { TimeText } from '../../../ui/time-text.tsx'
import { useSession } from '../../api/session.ts'
import classes from './members-page.module.css'
import { ListTable } from '../../shell/list-table.tsx'
import type { PagedList } from '../../api/use-pages.ts'

export interface MemberTableProps {
  list: PagedList<MemberResource>
  /** Both omitted for users who may not change members. */
  onRole?: (member: MemberResource, role: Role) => void
  onRemove?: (member: MemberResource) => void
}

export const roleChoices = [
  { value: 'viewer', label: 'Viewer' },
  { value: 'editor', label: 'Editor' },
  { value: 'owner', label: 'Owner' },
] as const satisfies readonly { value: Role; label: string }[]

export function MemberTable({ list, onRole, onRemove }: MemberTableProps) {
  const { user } = useSession()
  const columns: [Column<MemberResource>, ...Column<MemberResource>[]] = [
    {
      title: 'Member',
      sortBy: ({ name }) => name,
      render: ({ id, name, email }) => (
        <div className={classes.name}>
          <strong>
            {name} {id === user?.id ? <Badge>You</Badge> : null}
          </strong>
          <span className={classes.muted}>{email ?? 'No email address yet'}</span>
        </div>
      ),
    },
    {
      title: 'Role',
      sortBy: ({ role }) => role,
      render: ({ role }) => roleChoices.find(({ value }) => value === role)?.label ?? role,
    },
    { title: 'Joined', sortBy: ({ createdAt }) => createdAt, render: ({ createdAt }) => <TimeText time={createdAt} /> },
    {
      title: 'Last signed in',
      sortBy: ({ lastSignInAt }) => lastSignInAt,
      render: ({ lastSignInAt }) => (lastSignInAt === null ? 'Never' : <TimeText time={lastSignInAt} />),
    },
  ]
  if (onRole !== undefined && onRemove !== undefined) {
    columns.push({
      title: 'Actions',
      isTitleHidden: true,
      align: 'end',
      render: (member) => (
        <Menu
          trigger={
            <IconButton size="small" label={`Actions for ${member.name}`}>
              <Ellipsis size={17} aria-hidden />
            </IconButton>
          }
        >
          <MenuChoices
            label="Role"
            value={member.role}
            choices={roleChoices}
            onValueChange={(role) => onRole(member, role)}
          />
          <MenuItem icon={<UserMinus size={16} aria-hidden />} isDangerous onSelect={() => onRemove(member)}>
            Remove …
          </MenuItem>
        </Menu>
      ),
    })
  }
  return <ListTable list={list} caption="Members" columns={columns} empty={null} />
}
