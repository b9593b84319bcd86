//! The in-process client: typed by handle, or by name and JSON, through the same door.

use contract_core::testing::block_on;
use contract_core::{Arguments, Caller, Client, ErrorCode, Locality, PublicOnly, ToolFilter};
use serde_json::json;

use super::tools::{DoorClaims, DoorClaimsInput, DoorFails, DoorFailsInput, DoorStore, DoorStoreInput};
use super::{context, registry};

fn client() -> Client {
    Client::new(registry(), Caller::anonymous(), PublicOnly, context)
}

#[test]
fn a_handle_carries_its_types() {
    let answer = block_on(client().call::<DoorClaims>(DoorClaimsInput { count: 2 })).unwrap();
    assert_eq!(answer.claims, ["claim 0", "claim 1"]);
    let error = block_on(client().call::<DoorClaims>(DoorClaimsInput { count: 3 })).map(drop).unwrap_err();
    assert_eq!((error.code(), error.issues()[0].pointer.as_str()), (ErrorCode::InvalidInput, "/count"));
    let error = block_on(client().call::<DoorFails>(DoorFailsInput {})).map(drop).unwrap_err();
    assert_eq!(error.code(), ErrorCode::StoreUnavailable);
}

#[test]
fn the_policy_and_the_slice_are_the_clients() {
    let error = block_on(client().call::<DoorStore>(DoorStoreInput {})).map(drop).unwrap_err();
    assert_eq!(error.code(), ErrorCode::Unauthorized);
    let miner = client().with_slice(ToolFilter::new().locality(Locality::Miner));
    let error = block_on(miner.call::<DoorClaims>(DoorClaimsInput { count: 1 })).map(drop).unwrap_err();
    assert_eq!(error.code(), ErrorCode::NotFound);
    assert!(format!("{miner:?}").contains("Miner"));
}

#[test]
fn a_name_and_json_go_the_same_way() {
    let reply = block_on(client().call_json("door_claims", Arguments::Parsed(json!({ "count": 1.0 })))).unwrap();
    assert_eq!(reply.result().unwrap()["claims"], json!(["claim 0"]));
    assert!(block_on(client().call_json("door_clams", Arguments::Absent)).is_err());
}
