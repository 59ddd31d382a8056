//! Ensemble tests: run a function on a table of rows, compare its outputs with the benchmark.

use lin_bus::{Frame, PID};

#[tdg::ensemble_test(size = 200)]
fn pid(#[define(uniform(0..=63))] id: u8) -> u8 {
    PID::from_id(id).get()
}

#[tdg::ensemble_test(size = 500)]
fn frame(
    #[define(uniform(0..=63))] id: u8,
    #[define([uniform(0..=255); 0..=8])] data: &[u8],
) -> Vec<u8> {
    Frame::from_data(PID::from_id(id), data).get_data_with_checksum().to_vec()
}

#[tdg::ensemble_test(size = 300, output = "debug")]
fn read_by_identifier(
    #[define(uniform(0..=127))] nad: u8,
    #[define(uniform(0..=80))] identifier: u8,
    #[define(uniform(0..=65_535))] supplier: u16,
    #[define(uniform(0..=65_535))] function: u16,
) -> Frame {
    lin_bus::frame::diagnostic::create_read_by_identifier_frame(
        lin_bus::frame::transport::NAD(nad),
        identifier.into(),
        supplier,
        function,
    )
}

#[tdg::ensemble_test(size = 300)]
fn decode(
    #[define([uniform(0..=255); 1..=8])] data: &[u8],
    #[define(uniform(0..=12))] offset: usize,
    #[define(uniform(1..=16))] length: usize,
) -> Option<u16> {
    let frame = Frame::from_data(PID::from_id(3), data);
    (offset + length <= data.len() * 8).then(|| frame.decode::<u16>(offset, length))
}
