import './gift-page.css'
import type { Gift, OpenedGift } from '@nifty/api/minting/gifts'
import { type ReactNode, useEffect, useState } from 'react'
import { useCurrentUser } from '../../account/use-current-user.ts'
import type { ApiError } from '../../api/api.ts'
import { forgetMailedToken, mailedToken } from '../../api/mailed-token.ts'
import { creatorUrl, itemUrl, paths } from '../../api/paths.ts'
import { forgetReturn, readReturn, rememberReturn } from '../../api/return-to.ts'
import { isLive, useSession } from '../../api/session.ts'
import { claimGift, openGift, useGift } from '../../gifts/use-gifts.ts'
import { MessagePage } from '../../layout/message-page.tsx'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Notice, Skeleton } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { useBusy } from '../../ui/use-busy.ts'

/** The target of the link in the mail about a gift. It claims on the button only: scanners of mails open links. */
export function GiftPage() {
  const [token] = useState(() => mailedToken('gift'))
  const [opened, setOpened] = useState<OpenedGift>()
  const [claimed, setClaimed] = useState<Gift>()
  const [refusal, setRefusal] = useState<ApiError>()

  useEffect(() => {
    if (token === undefined) return
    let current = true
    void openGift(token).then((outcome) => {
      if (!current) return
      if (outcome.ok) setOpened(outcome.data)
      else {
        // A gift that was claimed may be the visitor's own: a log-in leads back to it.
        if (outcome.error.code !== 'gift_claimed') forgetIfOver(outcome.error)
        setRefusal(outcome.error)
      }
    })
    return () => {
      current = false
    }
  }, [token])

  if (claimed) return <Claimed claimed={claimed} token={token} />
  if (token === undefined)
    return (
      <Over
        title="Open the link in our mail"
        text="The link in our mail about your gift opens it again, also after this page was reloaded or you have created an account. Nothing is lost."
      />
    )
  if (opened) return <Offered gift={opened} token={token} onClaimed={setClaimed} />
  if (refusal) return <Refused refusal={refusal} token={token} onClaimed={setClaimed} />
  return (
    <div className="gift-page wrap">
      <p role="status" className="visually-hidden">
        Opening your gift
      </p>
      <Skeleton className="gift-page__work" />
    </div>
  )
}

/** No log-in leads back to a gift that cannot be claimed any more. */
const forgetIfOver = ({ status }: ApiError) => {
  if (status === 404) forgetGift()
}

function forgetGift() {
  forgetMailedToken('gift')
  if (readReturn()?.path === paths.gift) forgetReturn()
}

async function claim(token: string) {
  const outcome = await claimGift(token)
  if (outcome.ok) forgetGift()
  else forgetIfOver(outcome.error)
  return outcome
}

const Over = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <MessagePage title={title} text={text}>
    {children}
    <LinkButton to={paths.explore}>Explore the works</LinkButton>
    <LinkButton to={paths.contact} variant="secondary">
      Contact us
    </LinkButton>
  </MessagePage>
)

type Claiming = { token: string; onClaimed: (gift: Gift) => void }

/** A link that opens no gift. One that its recipient has used already leads to the gift, for its recipient alone. */
function Refused({ refusal, token, onClaimed }: Claiming & { refusal: ApiError }) {
  const session = useSession()
  const isLoggedIn = isLive(session.token, Date.now())
  const isClaimed = refusal.code === 'gift_claimed'

  useEffect(() => {
    if (!isClaimed || !isLoggedIn) return
    void claim(token).then((outcome) => {
      if (outcome.ok) onClaimed(outcome.data)
    })
  }, [isClaimed, isLoggedIn, token, onClaimed])

  if (refusal.status === 404)
    return (
      <Over title="This gift cannot be opened" text={`${refusal.message}.`}>
        {isClaimed && !isLoggedIn && (
          <LinkButton to={paths.login} variant="secondary">
            Was it you? Log in
          </LinkButton>
        )}
      </Over>
    )
  return <Over title="We could not open your gift" text={`${refusal.message} Your gift is safe.`} />
}

const Work = ({ gift: { image, name }, children }: { gift: OpenedGift | Gift; children: ReactNode }) => (
  <div className="gift-page wrap">
    {image && <img className="gift-page__work" src={`${image}?w=960`} alt={name} />}
    <div className="gift-page__card">{children}</div>
  </div>
)

/** What the giver wrote; nothing without it. */
const Words = ({ text }: { text: string }) =>
  text && (
    <blockquote className="gift-page__text" dir="auto">
      {text}
    </blockquote>
  )

function Offered({ gift, token, notice = '', onClaimed }: Claiming & { gift: OpenedGift; notice?: string }) {
  const session = useSession()
  const [problem, setProblem] = useState(notice)
  const [busy, run] = useBusy()

  const accept = () =>
    run(async () => {
      const outcome = await claim(token)
      if (outcome.ok) onClaimed(outcome.data)
      else setProblem(outcome.error.message)
    })

  // A sign-up ends in another document, which has no token: there the mail opens the gift again.
  const isLoggedIn = isLive(session.token, Date.now())
  useEffect(() => {
    if (!isLoggedIn) rememberReturn({ path: paths.gift, title: `A gift for you: ${gift.name}` })
  }, [isLoggedIn, gift.name])

  return (
    <Work gift={gift}>
      <h1 tabIndex={-1}>
        A gift for you: <bdi>{gift.name}</bdi>
      </h1>
      {gift.giver && (
        <p>
          From <bdi>{gift.giver}</bdi>
        </p>
      )}
      <Words text={gift.text} />
      <p>
        Accept it, and it is yours. We keep it for you, free of charge; you can move it to a wallet of your own later.
      </p>
      {problem && <Notice kind="error">{problem}</Notice>}
      <div className="gift-page__actions">
        {isLoggedIn ? (
          <Button busy={busy} busyLabel="Accepting..." onClick={() => void accept()}>
            Accept the gift
          </Button>
        ) : (
          <>
            <LinkButton to={paths.signup}>Create an account to accept</LinkButton>
            <LinkButton to={paths.login} variant="secondary">
              Log in
            </LinkButton>
          </>
        )}
      </div>
      {gift.until && (
        <p className="gift-page__until">
          You can accept it until <Time at={gift.until} />.
        </p>
      )}
    </Work>
  )
}

/** The claim did not get the work. What became of the gift is read again with its link. */
function Failed({ token }: { token: string | undefined }) {
  const [gift, setGift] = useState<OpenedGift>()
  const [refusal, setRefusal] = useState<ApiError>()
  const [claimed, setClaimed] = useState<Gift>()

  useEffect(() => {
    if (token === undefined) return
    let current = true
    void openGift(token).then((outcome) => {
      if (!current) return
      if (outcome.ok) setGift(outcome.data)
      else setRefusal(outcome.error)
    })
    return () => {
      current = false
    }
  }, [token])

  if (claimed) return <Claimed claimed={claimed} token={token} />
  if (gift && token !== undefined)
    return (
      <Offered gift={gift} token={token} notice="The transfer did not work. Please try again." onClaimed={setClaimed} />
    )
  return (
    <Over
      title="The gift did not reach you"
      text={
        refusal?.status === 404 ? `${refusal.message}.` : 'The transfer did not work. Open the link in our mail again.'
      }
    />
  )
}

/** `token`: of the mailed link, with which a claim that failed is repeated. */
function Claimed({ claimed, token }: { claimed: Gift; token: string | undefined }) {
  const { gift = claimed, isGone } = useGift(claimed._id)
  const { user } = useCurrentUser()
  if (isGone || (gift.state !== 'claiming' && gift.state !== 'claimed')) return <Failed token={token} />
  const isArrived = gift.state === 'claimed'
  return (
    <Work gift={gift}>
      <h1 tabIndex={-1}>
        {isArrived ? (
          <>
            <bdi>{gift.name}</bdi> is yours
          </>
        ) : (
          'Your gift is on its way'
        )}
      </h1>
      <p role="status">
        {isArrived
          ? 'We keep it for you, free of charge. You can move it to a wallet of your own on its page.'
          : 'It is being entered on the blockchain, which takes a minute or two. You can leave this page.'}
      </p>
      <Words text={gift.text} />
      <div className="gift-page__actions">
        <LinkButton to={itemUrl({ ...gift, ownerUsername: isArrived ? (user?.username ?? null) : null })}>
          See the work
        </LinkButton>
        {user && (
          <LinkButton to={creatorUrl(user.username)} variant="secondary">
            Your profile
          </LinkButton>
        )}
      </div>
    </Work>
  )
}
