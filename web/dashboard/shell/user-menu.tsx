import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { Globe, Languages, LogOut, Monitor, Moon, Sun, UserCog, UserRound } from 'lucide-react'
import { IconButton } from '../../ui/button.tsx'
import { Menu, MenuChoices, MenuGroup, MenuItem } from '../../ui/menu.tsx'
import { useTheme } from '../../ui/theme.ts'
import { showToast } from '../../ui/toasts.tsx'
import { describeError } from '../api/api-error.ts'
import { roleNames } from '../api/role-names.ts'
import { signOut, useSession } from '../api/session.ts'
import { changeLanguage, languages, readLanguageChoice } from '../../words/language.ts'
import { say } from '../../words/say.ts'

const themeChoices = [
  { value: 'system', label: say('System'), icon: <Monitor size={16} aria-hidden /> },
  { value: 'light', label: say('Light'), icon: <Sun size={16} aria-hidden /> },
  { value: 'dark', label: say('Dark'), icon: <Moon size={16} aria-hidden /> },
] as const

/** Each language under its own name, so that everybody finds theirs. */
const languageChoices = [
  { value: 'system', label: say('As the browser'), icon: <Globe size={16} aria-hidden /> },
  ...languages.map(({ language, name }) => ({
    value: language,
    label: name,
    icon: <Languages size={16} aria-hidden />,
  })),
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
        <IconButton label={say('Account of {name}', { name: user.name })}>
          <UserRound size={18} aria-hidden />
        </IconButton>
      }
    >
      <MenuChoices label={say('Appearance')} value={theme} choices={themeChoices} onValueChange={setTheme} />
      <MenuChoices
        label={say('Language')}
        value={readLanguageChoice()}
        choices={languageChoices}
        onValueChange={changeLanguage}
      />
      <MenuGroup label={`${user.name}${user.email === null ? '' : `, ${user.email}`} (${roleNames[user.role]})`}>
        <MenuItem
          icon={<UserCog size={16} aria-hidden />}
          onSelect={() => void navigate({ to: '/$organization/account', params: { organization: organization.id } })}
        >
          {say('Your account')}
        </MenuItem>
        <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => void leave()}>
          {say('Sign out')}
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
