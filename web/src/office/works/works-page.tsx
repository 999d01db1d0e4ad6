import { searchItems } from '@nifty/api/catalog/item-search'
import { itemStates } from '@nifty/api/catalog/item-states'
import { featureItems, listFeaturedItems, unfeatureItem } from '@nifty/api/catalog/ops'
import { MAX_FEATURED } from '@nifty/api/featured-limit'
import { acknowledgeLostWork, compareToken } from '@nifty/api/payments/lost-works'
import { plural } from '@nifty/api/plural'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Field, Select } from '../../ui/forms/field.tsx'
import { Link } from '../../ui/link.tsx'
import { Action } from '../action/action.tsx'
import { AccountLink } from '../links/account-link.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Contents, Section } from '../table/section.tsx'
import { State } from '../table/state.tsx'
import { Table } from '../table/table.tsx'
import { FoundWorks } from './found-works.tsx'
import { WorkPicker } from './work-picker.tsx'
import { WorkPicture } from './work-picture.tsx'

/** The works that the home page features, all works, and a token as chain and catalog have it. */
export const WorksPage = () => (
  <Page title="Works">
    <Featured />
    <AllWorks />
    <CompareToken />
  </Page>
)

function AllWorks() {
  const [state, setState] = useState('')
  return (
    <FoundWorks
      title="All"
      search={state ? { state: state as (typeof itemStates)[number] } : {}}
      aside={
        <Select label="State" value={state} onChange={(event) => setState(event.target.value)}>
          <option value="">All</option>
          {itemStates.map((name) => (
            <option key={name} value={name}>
              {name.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
      }
    />
  )
}

function Featured() {
  const loaded = useStore('catalog', listFeaturedItems, {})
  const found = useStore('catalog', searchItems, { body: { state: 'featured' } })
  const works = new Map(found.data?.items.map((work) => [work.itemId, work]))
  const before = loaded.data?.items.flatMap(({ itemId }) => works.get(itemId) ?? [])
  return (
    <Section
      title="Featured on the home page"
      loaded={loaded}
      aside={
        // Both are requested anew after each change.
        before &&
        before.length === loaded.data?.items.length && (
          <Action
            label="Change…"
            title="Feature these works"
            effects={<p>The home page shows these works first, in this order, in place of those featured now.</p>}
            run={async ({ reason, text }) => {
              const itemIds = text('itemIds').split(/\s+/).filter(Boolean)
              await request('catalog', featureItems, { body: { itemIds, reason } })
              return `${plural(itemIds.length, 'work')} featured.`
            }}
          >
            <WorkPicker
              name="itemIds"
              legend={`One to ${MAX_FEATURED} works in their order`}
              max={MAX_FEATURED}
              before={before}
            />
          </Action>
        )
      }
    >
      {({ items }) => (
        <Table
          caption="Featured works"
          rows={items}
          rowKey={({ itemId }) => itemId}
          empty="No work is featured: the home page shows the newest work for sale of each artist."
          columns={[
            {
              title: 'Picture',
              cell: ({ itemId }) => {
                const work = works.get(itemId)
                return work && <WorkPicture image={work.image} />
              },
            },
            { title: 'Work', cell: ({ itemId, name }) => <Link to={`/works/${itemId}`}>{name}</Link> },
            {
              title: 'State',
              cell: ({ hidden, forSale }) => (
                <State
                  name={hidden ? 'hidden' : forSale ? 'for sale' : 'not for sale'}
                  kind={hidden ? 'bad' : undefined}
                />
              ),
            },
            { title: 'Artist', cell: ({ itemId }) => works.get(itemId)?.creatorUsername },
            {
              title: '',
              cell: ({ itemId, name }) => (
                <div className="table__actions">
                  <Action
                    label="Remove…"
                    title="Feature it no longer"
                    effects={<p>“{name}” leaves the first place of the home page.</p>}
                    run={async ({ reason }) => {
                      await request('catalog', unfeatureItem, { params: { id: itemId }, body: { reason } })
                      return 'The work is no longer featured.'
                    }}
                  />
                </div>
              ),
            },
          ]}
        />
      )}
    </Section>
  )
}

/** A token as the chain and catalog have it. */
function CompareToken() {
  const [token, setToken] = useState('')
  return (
    <section className="section" aria-labelledby="token">
      <h2 id="token">Chain and catalog</h2>
      <form
        className="filters"
        onSubmit={(event) => {
          event.preventDefault()
          setToken(String(new FormData(event.currentTarget).get('token')).trim().toLowerCase())
        }}
      >
        <Field label="Contract/identifier" name="token" required autoComplete="off" placeholder="0x…/12" />
        <Button type="submit" variant="secondary">
          Compare
        </Button>
      </form>
      {token && <Sides key={token} token={token} />}
    </section>
  )
}

function Sides({ token }: { token: string }) {
  const loaded = useStore('payments', compareToken, { query: { token } })
  const owner = (side: { ownerId: string | null } | null) =>
    side && (side.ownerId ? <AccountLink id={side.ownerId} /> : 'an unknown wallet')
  return (
    <Contents loaded={loaded}>
      {({ chain, item, difference, acknowledged }) => (
        <>
          <Facts
            className="facts"
            entries={[
              ['On the chain', chain ? 'yes' : 'no'],
              ['Owner there', owner(chain)],
              ['In catalog', item ? 'yes' : 'no'],
              ['Owner in catalog', owner(item)],
              ['Conclusion', difference ?? 'Both sides agree.'],
              ['Acknowledged', acknowledged && `${acknowledged.by}: ${acknowledged.reason}`],
            ]}
          />
          {chain && !item && !acknowledged && (
            <div className="actions">
              <Action
                label="Record as lost…"
                title="Record the work as lost"
                variant="danger"
                effects={<p>The books count the difference no more. Token and owner stay as they are.</p>}
                run={async ({ reason }) => {
                  await request('payments', acknowledgeLostWork, { body: { token, reason } })
                  return 'It counts no more from the next comparison on.'
                }}
              />
            </div>
          )}
        </>
      )}
    </Contents>
  )
}
