import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { linkButton } from '../../../ui/link-button.ts'
import { useMay, useSession } from '../../api/session.ts'
import { siteWord } from '../../shell/places.ts'
import { say } from '../../../words/say.ts'

/** Hidden from users who may not start jobs. */
export function NewJobLink({ site }: { site?: SiteResource }) {
  const { organization } = useSession()
  const mayStart = useMay('editor')
  if (!mayStart) return null
  return (
    <Link
      className={linkButton('primary')}
      to="/$organization/jobs/new"
      params={{ organization: organization.id }}
      search={site === undefined ? {} : { site: siteWord(site) }}
    >
      <Plus size={16} aria-hidden /> {say('New job')}
    </Link>
  )
}
