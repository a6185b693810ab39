import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { LogOut, Monitor, Moon, Sun, UserCog, UserRound } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuChoices, MenuGroup, MenuItem } from '../../ui/menu.tsx'
import { useTheme } from '../../ui/theme.ts'
import { showToast } from '../../ui/toasts.tsx'
import { describeError } from '../api/api-error.ts'
import { signOut, useSession } from '../api/session.ts'

const themeChoices = [
  { value: 'system', label: 'System', icon: <Monitor size={16} aria-hidden /> },
  { value: 'light', label: 'Light', icon: <Sun size={16} aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon size={16} aria-hidden /> },
] as const

export function UserMenu() {
  const { user, organization } = useSession()
  const navigate = useNavigate()
  const [theme, setTheme] = useTheme()
  const leave = useSignOut()
  if (user === null) return null
  return (
    <Menu
      trigger={
        <IconButton label={`Account of ${user.name}`}>
          <UserRound size={18} aria-hidden />
        </IconButton>
      }
    >
      <MenuChoices label="Appearance" value={theme} choices={themeChoices} onValueChange={setTheme} />
      <MenuGroup label={`${user.name}${user.email === null ? '' : `, ${user.email}`} (${user.role})`}>
        <MenuItem
          icon={<UserCog size={16} aria-hidden />}
          onSelect={() => void navigate({ to: '/$organization/account', params: { organization: organization.id } })}
        >
          Your account
        </MenuItem>
        <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => void leave()}>
          Sign out
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}

/** Ends the session and discards its data. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    try {
      await signOut()
    } catch (error) {
      showToast({ title: describeError(error), tone: 'danger' })
      return
    }
    await navigate({ to: '/sign-in' })
    client.clear()
  }
}
