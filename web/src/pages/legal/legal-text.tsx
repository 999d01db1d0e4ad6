import './legal-text.css'
import type { LegalText as Text } from '@nifty/api/content'
import type { ReactNode } from 'react'
import { PageHead } from '../../layout/page/page-head.tsx'
import { RichText } from '../../ui/rich-text/rich-text.tsx'

/** A long text: table of contents on the left, sections on the right. `children` stand above the sections. */
export const LegalText = ({ text, children }: { text: Text; children?: ReactNode }) => (
  <>
    <PageHead title={text.title} crumb={text.crumb}>
      <RichText as="p" className="legal__updated" lang={text.lang} html={text.summary} />
    </PageHead>
    <div className="legal wrap">
      <nav className="legal__contents" aria-label="Contents">
        <RichText as="ol" lang={text.lang} html={text.contents} />
      </nav>
      <div className="legal__text">
        {children}
        <RichText className="legal__sections" lang={text.lang} html={text.body} />
      </div>
    </div>
  </>
)
