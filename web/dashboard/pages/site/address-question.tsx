import { Link } from '@tanstack/react-router'
import type { SiteResource } from '../../../../src/contract/admin.ts'
import { askForConfirmation } from '../../../../src/contract/describe-site-check.ts'
import { writeMessages } from '../../../../src/contract/message-texts.ts'
import { siteOperations } from '../../../../src/contract/operations/sites.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { ExternalLink } from '../../../ui/external-link.tsx'
import { FormActions } from '../../../ui/form.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { call } from '../../api/call.ts'
import { useMay, useSession } from '../../api/session.ts'
import { useChange } from '../../forms/use-change.ts'
import { siteWord } from '../../shell/places.ts'
import classes from './address-question.module.css'
import { say, sayMessages } from '../../../words/say.ts'

/** Asks the owner whether page addresses are right, before a site goes live with doubtful ones. */
export function AddressQuestion({ site }: { site: SiteResource }) {
  const isOwner = useMay('owner')
  if (site.confirmation === null) return null
  const { reasons, question } = askForConfirmation(site.confirmation)
  return (
    <Notice tone="warning">
      <h2 className={classes.title}>{sayMessages([question], writeMessages([question]))}</h2>
      <p>{sayMessages(reasons, writeMessages(reasons))}</p>
      <ul className={classes.links}>
        {site.confirmation.links.map((link) => (
          <li key={link}>
            <ExternalLink href={link}>{link}</ExternalLink>
          </li>
        ))}
      </ul>
      {isOwner ? <Answers site={site} /> : <p>{say('An owner of the organization must confirm them.')}</p>}
    </Notice>
  )
}

function Answers({ site }: { site: SiteResource }) {
  const { organization } = useSession()
  const confirm = useChange({
    send: () => call(siteOperations.confirmSite, { params: { id: site.id } }),
    done: say('The site is live.'),
    stale: ['listSites'],
    hasFailureToast: true,
  })
  return (
    <FormActions>
      <Button look="primary" isBusy={confirm.isPending} onClick={() => confirm.mutate()}>
        {say('Yes, go live')}
      </Button>
      <Link
        className={buttonLook()}
        to="/$organization/$domain/settings"
        params={{ organization: organization.id, domain: siteWord(site) }}
      >
        {say('No, change the address')}
      </Link>
    </FormActions>
  )
}
