//! The routes of members: log in, list games and browsers, change the password, delete the account.

use std::net::{IpAddr, SocketAddr};

use axum::Router;
use axum::extract::{ConnectInfo, Form, FromRequestParts, Path, Request, State};
use axum::http::header::{SET_COOKIE, USER_AGENT};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::routing::{get, post};
use serde_json::json;

use crate::app::App;
use crate::members::accounts::{
    Accounts, Guessed, LoginError, Member, Session, browser_name, checked_password,
};
use crate::members::cookies;
use crate::members::names::{ChosenName, stored_forms};
use crate::members::pages;
use crate::members::store::AccountWrite;
use crate::page::form::{Fields, field};
use crate::page::frame::{Reader, read_by, shown};
use crate::time::now;
use crate::trouble::{Answer, Trouble};
use crate::{headers, key};

/// Upper bound on the tables that a member's page lists.
const MAX_TABLES: usize = 200;

pub fn routes(app: &App) -> Router<App> {
    if app.accounts.is_none() {
        return Router::new();
    }
    Router::new()
        .route("/login", get(login_page).post(log_in))
        .route("/register", post(register))
        .route("/logout", post(log_out))
        .route("/me", get(own_page))
        .route("/me/browsers/{browser}/end", post(end_browser))
        .route("/me/browsers/end", post(end_others))
        .route("/me/password", post(change_password))
        .route("/me/delete", post(delete))
}

/// Middleware that passes the current member to pages.
pub async fn identify_member(State(app): State<App>, request: Request, next: Next) -> Response {
    if app.accounts.is_none() {
        return next.run(request).await;
    }
    let member = app.member(request.headers()).map(|member| member.name);
    read_by(Reader { accounts: true, member }, next.run(request)).await
}

/// Data that these handlers need: the accounts, and the request's address and browser.
struct MemberRequest {
    accounts: std::sync::Arc<Accounts>,
    address: IpAddr,
    browser: String,
}

impl FromRequestParts<App> for MemberRequest {
    type Rejection = Trouble;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Trouble> {
        let missing = || Trouble::Setup("this server has no members".to_owned());
        let from = parts.extensions.get::<ConnectInfo<SocketAddr>>().ok_or_else(missing)?;
        let browser = headers::text(&parts.headers, USER_AGENT).unwrap_or_default();
        Ok(Self {
            accounts: app.accounts.clone().ok_or_else(missing)?,
            address: from.0.ip().to_canonical(),
            browser: browser_name(&browser),
        })
    }
}

/// The form's page with the reason of the refusal.
fn denied(denied: &LoginError, page: &maud::Markup) -> Response {
    let status = match denied {
        LoginError::Wrong | LoginError::Locked => StatusCode::FORBIDDEN,
        LoginError::TooMany => StatusCode::TOO_MANY_REQUESTS,
        LoginError::Busy => StatusCode::SERVICE_UNAVAILABLE,
        LoginError::Taken => StatusCode::CONFLICT,
        LoginError::Name(_) | LoginError::Password { .. } => StatusCode::BAD_REQUEST,
    };
    (status, Html(page.0.clone())).into_response()
}

fn to_login() -> Response {
    Redirect::to("/login").into_response()
}

async fn login_page(State(app): State<App>, headers: HeaderMap) -> Response {
    match app.member(&headers) {
        Some(_) => Redirect::to("/me").into_response(),
        None => shown(&pages::login(None, None)),
    }
}

/// Name and password of a form, possibly empty. Passwords are not trimmed.
fn credentials(fields: &Fields) -> (String, String) {
    let password = fields.iter().find(|(name, _)| name == "password").map(|(_, value)| value.clone());
    (field(fields, "name").unwrap_or_default().to_owned(), password.unwrap_or_default())
}

async fn log_in(State(app): State<App>, request: MemberRequest, Form(fields): Form<Fields>) -> Answer {
    let (name, password) = credentials(&fields);
    match admitted(&app, &request, &name, password).await? {
        Ok((account, name)) => {
            app.log
                .event("login", &[("account", json!(account)), ("from", json!(request.address.to_string()))]);
            begin(&app, &request, account, name).await
        }
        Err(why) => {
            // The typed name is not logged, because it may be a password.
            app.log.event("login_refused", &[("from", json!(request.address.to_string()))]);
            Ok(denied(&why, &pages::login(Some(&why.to_string()), None)))
        }
    }
}

/// Verifies a name and password, and returns the account and its name.
async fn admitted(
    app: &App,
    request: &MemberRequest,
    name: &str,
    password: String,
) -> Result<Result<(String, String), LoginError>, Trouble> {
    let forms = stored_forms(name);
    // An impossible name has no counter of its own.
    let Some(last) = forms.last() else { return Ok(Err(LoginError::Wrong)) };
    let found = app.hub.store.account_called(&forms).await?;
    let kept = found.as_ref().map(|account| account.password.clone());
    let counted = found.as_ref().map_or(last, |account| &account.folded);
    let guessed = Guessed::Name(counted);
    let is_right = match request.accounts.verify(request.address, guessed, password, kept).await {
        Ok(is_right) => is_right,
        Err(why) => return Ok(Err(why)),
    };
    Ok(match found {
        Some(account) if is_right && account.locked => Err(LoginError::Locked),
        Some(account) if is_right => Ok((account.id, account.name)),
        _ => Err(LoginError::Wrong),
    })
}

/// Creates a session for a browser.
async fn begin(app: &App, request: &MemberRequest, account: String, name: String) -> Answer {
    let key = key::fresh_key();
    let hash = key::hash(&key);
    let browser = request.browser.clone();
    let session = Session { hash, id: key::fresh_name(), account, name, began: now(), browser };
    app.hub.note(vec![AccountWrite::Begin(session.clone())]).await?;
    let old = request.accounts.begin(session);
    app.hub.note(old.into_iter().map(|hash| AccountWrite::End { hash }).collect()).await?;
    Ok(with_cookie(Redirect::to("/me").into_response(), Some(&key)))
}

fn with_cookie(mut response: Response, key: Option<&str>) -> Response {
    let cookie = HeaderValue::from_str(&cookies::session_cookie(key)).expect("keys are letters");
    response.headers_mut().append(SET_COOKIE, cookie);
    response
}

async fn register(State(app): State<App>, request: MemberRequest, Form(fields): Form<Fields>) -> Answer {
    let (name, password) = credentials(&fields);
    let id = key::fresh_name();
    let made = async {
        let (name, password) = (ChosenName::member(&name)?, checked_password(&password)?);
        request.accounts.count_registration(request.address)?;
        let password = request.accounts.hash(request.address, password).await?;
        request.accounts.take_name(&id, &name)?;
        Ok((name, password))
    };
    let refused = |why: LoginError| Ok(denied(&why, &pages::login(None, Some(&why.to_string()))));
    let (name, password) = match made.await {
        Ok(made) => made,
        Err(why) => return refused(why),
    };
    let (name, folded) = (name.as_str().to_owned(), name.folded());
    let write = AccountWrite::Create {
        id: id.clone(),
        name: name.clone(),
        folded: folded.clone(),
        password,
        at: now(),
    };
    // A separate task, so that a dropped request cannot interrupt it.
    let (hub, accounts, account) = (app.hub.clone(), request.accounts.clone(), id.clone());
    let created = tokio::spawn(async move {
        let created = match hub.note(vec![write]).await {
            Ok(()) => hub.store.account_named(&folded).await.map_err(Trouble::from),
            Err(trouble) => Err(trouble),
        };
        // If two registrations race, the first one gets the name.
        let created = created.map(|found| found.is_some_and(|found| found.id == account));
        if !matches!(created, Ok(true)) {
            accounts.free_name(&account);
        }
        created
    });
    if !created.await.map_err(|fault| Trouble::Fault(fault.to_string()))?? {
        return refused(LoginError::Taken);
    }
    app.log.event("registered", &[("account", json!(id)), ("from", json!(request.address.to_string()))]);
    begin(&app, &request, id, name).await
}

async fn log_out(State(app): State<App>, request: MemberRequest, headers: HeaderMap) -> Answer {
    if let Some(Member { session, .. }) = app.member(&headers) {
        request.accounts.end(|own| own.hash == session);
        app.hub.note(vec![AccountWrite::End { hash: session }]).await?;
    }
    Ok(with_cookie(Redirect::to("/").into_response(), None))
}

/// A member's page, with an error message.
async fn page_of(
    app: &App,
    accounts: &Accounts,
    member: &Member,
    wrong: Option<&str>,
) -> Result<maud::Markup, Trouble> {
    let tables = app.hub.store.tables_of(&member.account, MAX_TABLES).await?;
    Ok(pages::own(member, &tables, &accounts.sessions(&member.account), now(), wrong))
}

/// A member's page after a refused form.
async fn refused(app: &App, request: &MemberRequest, member: &Member, why: &LoginError) -> Answer {
    Ok(denied(why, &page_of(app, &request.accounts, member, Some(&why.to_string())).await?))
}

async fn own_page(State(app): State<App>, request: MemberRequest, headers: HeaderMap) -> Answer {
    let Some(member) = app.member(&headers) else { return Ok(to_login()) };
    Ok(shown(&page_of(&app, &request.accounts, &member, None).await?))
}

fn back() -> Answer {
    Ok(Redirect::to("/me").into_response())
}

async fn end_browser(
    State(app): State<App>,
    request: MemberRequest,
    Path(browser): Path<String>,
    headers: HeaderMap,
) -> Answer {
    let Some(member) = app.member(&headers) else { return Ok(to_login()) };
    let own = request.accounts.sessions(&member.account);
    if let Some(session) = own.into_iter().find(|session| session.id == browser) {
        request.accounts.end(|known| known.hash == session.hash);
        app.hub.note(vec![AccountWrite::End { hash: session.hash }]).await?;
    }
    back()
}

/// Ends all other sessions of a member, in one write with the changes `besides`.
async fn only(
    app: &App,
    accounts: &Accounts,
    member: &Member,
    besides: Vec<AccountWrite>,
) -> Result<(), Trouble> {
    let (account, own) = (member.account.clone(), member.session);
    accounts.end(|session| session.account == account && session.hash != own);
    let end = AccountWrite::EndAll { account, but: Some(own) };
    app.hub.note(besides.into_iter().chain([end]).collect()).await
}

async fn end_others(State(app): State<App>, request: MemberRequest, headers: HeaderMap) -> Answer {
    let Some(member) = app.member(&headers) else { return Ok(to_login()) };
    only(&app, &request.accounts, &member, Vec::new()).await?;
    back()
}

/// Checks the password in a form, so that a browser that is still logged in does not suffice for changes.
async fn confirmed(
    app: &App,
    request: &MemberRequest,
    member: &Member,
    password: String,
) -> Result<Result<(), LoginError>, Trouble> {
    let found = app.hub.store.account_of(&member.account).await?;
    let kept = found.as_ref().map(|account| account.password.clone());
    let guessed = Guessed::Session(&member.session);
    Ok(match request.accounts.verify(request.address, guessed, password, kept).await {
        Ok(true) if found.is_some_and(|account| account.locked) => Err(LoginError::Locked),
        Ok(true) => Ok(()),
        Ok(false) => Err(LoginError::Wrong),
        Err(why) => Err(why),
    })
}

async fn change_password(
    State(app): State<App>,
    request: MemberRequest,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Answer {
    let Some(member) = app.member(&headers) else { return Ok(to_login()) };
    let (_, old) = credentials(&fields);
    let new = fields.iter().find(|(name, _)| name == "new").map_or("", |(_, value)| value);
    let made = match checked_password(new) {
        Err(why) => Err(why),
        Ok(new) => match confirmed(&app, &request, &member, old).await? {
            Err(why) => Err(why),
            Ok(()) => request.accounts.hash(request.address, new).await,
        },
    };
    match made {
        Ok(password) => {
            let write = AccountWrite::Password { account: member.account.clone(), password };
            only(&app, &request.accounts, &member, vec![write]).await?;
            back()
        }
        Err(why) => refused(&app, &request, &member, &why).await,
    }
}

async fn delete(
    State(app): State<App>,
    request: MemberRequest,
    headers: HeaderMap,
    Form(fields): Form<Fields>,
) -> Answer {
    let Some(member) = app.member(&headers) else { return Ok(to_login()) };
    let (_, password) = credentials(&fields);
    if let Err(why) = confirmed(&app, &request, &member, password).await? {
        return refused(&app, &request, &member, &why).await;
    }
    // Sessions end first, so that nothing is played under the name meanwhile.
    request.accounts.end(|session| session.account == member.account);
    app.hub.leave_all(&member.account).await?;
    app.hub.note(vec![AccountWrite::Delete { account: member.account.clone() }]).await?;
    request.accounts.free_name(&member.account);
    app.log.event("deleted", &[("account", json!(member.account))]);
    Ok(with_cookie(Redirect::to("/").into_response(), None))
}
