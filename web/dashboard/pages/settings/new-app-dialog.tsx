import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { YesNoField } from '../../../ui/choice-field.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { Form } from '../../../ui/form.tsx'
import { MoreFields } from '../../../ui/more-fields.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { say } from '../../../words/say.ts'

/** Leads to the page that posts the App manifest to GitHub. */
export function NewAppDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const [origin, setOrigin] = useState('https://github.com')
  const [owner, setOwner] = useState('')
  const [name, setName] = useState('Docent')
  const [isVerified, setVerified] = useState(false)
  const leave = () => {
    const query = new URLSearchParams({ origin, name })
    if (owner.trim() !== '') query.set('owner', owner.trim())
    if (isVerified) query.set('verified', 'true')
    location.assign(`/code-host-apps/github/new?${query}`)
  }
  return (
    <Dialog
      title={say('Create GitHub App')}
      description={say('GitHub shows the permissions of the App, asks for its name and then returns here.')}
      isOpen={isOpen}
      onClose={onClose}
      closesOutside={false}
    >
      <Form onSubmit={leave}>
        <TextField
          label={say('Name')}
          required
          maxLength={34}
          description={say('Must be unique on GitHub; you can change it there.')}
          value={name}
          onValueChange={setName}
        />
        <TextField
          label={say('GitHub organization')}
          isOptional
          maxLength={100}
          description={say('Owner of the App. Empty: the account signed in to GitHub.')}
          value={owner}
          onValueChange={setOwner}
        />
        <MoreFields>
          <TextField
            label="GitHub URL"
            type="url"
            required
            description={say('For Enterprise Server, the URL of your server.')}
            value={origin}
            onValueChange={setOrigin}
          />
          <YesNoField
            legend={say('Commits')}
            label={say('Have GitHub create and sign the agent’s commits')}
            value={isVerified}
            onValueChange={setVerified}
          />
        </MoreFields>
        <DialogActions>
          <Button onClick={onClose}>{say('Cancel')}</Button>
          <Button type="submit" look="primary">
            {say('Continue to GitHub')}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
