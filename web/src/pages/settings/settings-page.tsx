import { pages } from '@nifty/api/pages'
import { Navigate, useNavigate, useParams } from 'react-router-dom'
import { useClearPersonalData } from '../../account/profile/use-log-out.ts'
import { useOwnProfile } from '../../account/profile/use-own-profile.ts'
import { paths, settingsUrl } from '../../api/paths.ts'
import { forgetReturn } from '../../api/return-to.ts'
import { clearSession, useSession } from '../../api/session.ts'
import { forgetGiftDrafts } from '../../gifts/gift-draft.ts'
import { PageHead } from '../../layout/page/page-head.tsx'
import { Button } from '../../ui/button.tsx'
import { Empty, Spinner } from '../../ui/state.tsx'
import type { Goodbye } from '../account/goodbye.ts'
import { AvatarForm } from './avatar-form.tsx'
import { CertificateLinks } from './certificate-links.tsx'
import { CoverForm } from './cover-form.tsx'
import { DeleteAccount } from './delete-account.tsx'
import { DetailsForm } from './details-form.tsx'
import { accountNotifications, marketingNotifications, NotificationsForm } from './notifications-form.tsx'
import { OwnData } from './own-data.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { RememberedCards } from './remembered-cards.tsx'
import { SecondFactor } from './second-factor.tsx'
import { SecurityEvents } from './security-events.tsx'
import { Sessions } from './sessions.tsx'
import { SettingsContents, SettingsSection } from './settings-section.tsx'
import { WalletLink } from './wallet-link.tsx'

export function SettingsPage() {
  const { id = '' } = useParams()
  const { userId } = useSession()
  const { profile, foreign, error, reload } = useOwnProfile(id)
  const forget = useClearPersonalData()
  const navigate = useNavigate()

  if (foreign && userId && userId !== id) return <Navigate to={settingsUrl(userId)} replace />

  const leave = async (goodbye: Goodbye) => {
    navigate(paths.goodbye, { state: goodbye })
    clearSession()
    forgetReturn()
    forgetGiftDrafts()
    await forget()
  }

  return (
    <>
      <PageHead title={pages.settings.title} crumb="Settings" />
      <div className="wrap">
        {!profile && !error && <Spinner />}
        {!profile && error && (
          <Empty title="Your settings could not be loaded.">
            <Button variant="secondary" onClick={() => void reload()}>
              Try again
            </Button>
          </Empty>
        )}
        {profile && (
          <>
            <SettingsContents />
            <AvatarForm profile={profile} onSaved={reload} />
            <CoverForm profile={profile} onSaved={reload} />
            <SettingsSection
              title="MetaMask"
              text="The wallet that your works are delivered to. It needs no money in it."
            >
              <WalletLink profile={profile} onLinked={reload} />
            </SettingsSection>
            <DetailsForm profile={profile} onSaved={reload} />
            <NotificationsForm group={accountNotifications} profile={profile} onSaved={reload} />
            <NotificationsForm group={marketingNotifications} profile={profile} onSaved={reload} />
            <PasswordForm profile={profile} />
            <Sessions />
            <SecondFactor />
            <Passkeys />
            <RememberedCards />
            <CertificateLinks />
            <SecurityEvents />
            <OwnData />
            <DeleteAccount userId={profile._id} username={profile.username} onDeleted={leave} />
          </>
        )}
      </div>
    </>
  )
}
