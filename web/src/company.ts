/** The operator's company details, for the footer, the contact page, receipts and the legal texts. */
export const company = {
  name: 'Nifty Digital Art Ltd',
  number: '00000000',
  register: 'Registered in England and Wales',
  address: ['1 Gallery Walk', 'London, United Kingdom'],
  email: 'hello@nifty.example',
}
