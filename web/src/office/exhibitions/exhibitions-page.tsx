import { listAllExhibitions, removeExhibition, setExhibition } from '@nifty/api/catalog/ops'
import { exhibitionLimits } from '@nifty/api/exhibition-limits'
import { plural } from '@nifty/api/plural'
import { Field, TextArea } from '../../ui/forms/field.tsx'
import { Action } from '../action/action.tsx'
import { Page } from '../shell/page.tsx'
import { request } from '../store/request.ts'
import { useStore } from '../store/use-store.ts'
import { Section } from '../table/section.tsx'
import { Table } from '../table/table.tsx'
import { WorkPicker } from '../works/work-picker.tsx'

/** Exhibitions of the store, and series of artists. */
export function ExhibitionsPage() {
  const loaded = useStore('catalog', listAllExhibitions, {})
  return (
    <Page title="Exhibitions" aside={<SetExhibition />}>
      <Section title="Exhibitions and series" loaded={loaded}>
        {({ exhibitions }) => (
          <Table
            caption="Exhibitions"
            rows={exhibitions}
            rowKey={({ slug }) => slug}
            empty="There is no exhibition."
            columns={[
              { title: 'Title', cell: ({ title }) => title },
              { title: 'Address', cell: ({ slug }) => <span className="mono">/exhibitions/{slug}</span> },
              { title: 'Opens on', cell: ({ opensOn }) => opensOn },
              { title: 'Series of', cell: ({ artist }) => artist },
              { title: 'Works', isNumber: true, cell: ({ works }) => works },
              {
                title: '',
                cell: ({ slug, title }) => (
                  <div className="table__actions">
                    <Action
                      label="Remove…"
                      title="Remove it"
                      variant="danger"
                      effects={<p>The page of “{title}” is gone; its works stay.</p>}
                      run={async ({ reason }) => {
                        await request('catalog', removeExhibition, { params: { slug }, body: { reason } })
                        return `/exhibitions/${slug} is removed.`
                      }}
                    />
                  </div>
                ),
              },
            ]}
          />
        )}
      </Section>
    </Page>
  )
}

const SetExhibition = () => (
  <Action
    label="New or replaced one…"
    title="Set the exhibition"
    effects={<p>It is at its address from the opening day on (UTC). One of the same address is replaced.</p>}
    run={async ({ reason, text }) => {
      const slug = text('slug').trim()
      const itemIds = text('itemIds').split(/\s+/).filter(Boolean)
      const [title, description, opensOn] = [text('title'), text('description'), text('opensOn')]
      await request('catalog', setExhibition, {
        params: { slug },
        body: { title, description, opensOn, itemIds, reason },
      })
      return `/exhibitions/${slug} has ${plural(itemIds.length, 'work')} and opens on ${opensOn}.`
    }}
  >
    <Field label="Address, such as night-gardens" name="slug" required maxLength={80} autoComplete="off" />
    <Field label="Title" name="title" required maxLength={exhibitionLimits.title} autoComplete="off" />
    <Field label="Opening day" name="opensOn" type="date" required />
    <TextArea label="Text" name="description" maxLength={exhibitionLimits.description} />
    <WorkPicker name="itemIds" legend="Its works in their order" max={exhibitionLimits.works} />
  </Action>
)
